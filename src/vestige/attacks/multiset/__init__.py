"""Multi-set inversion: the inverter, its closed-form decoder and the published recurrent decoders."""
