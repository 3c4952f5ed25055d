"""Variants of encoding with MiniLM that were tried, each against our own fp32 encoder in the same run."""

import tempfile
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import torch

from bench.encode import read_sentences
from bench.harness import Comparison, compare
from vestige.encoders.batching import batch_by_length, encode_batches, encode_by_length, pack_by_length
from vestige.encoders.bert import PACK
from vestige.encoders.onnx import load_onnx
from vestige.encoders.sentence_transformer import load_minilm
from vestige.engine.threads import count_cores, count_workers, one_core_each
from vestige.types import Vectors

SENTENCES = 1000


def run() -> Iterator[Comparison | str]:
    texts = read_sentences()[:SENTENCES]
    ours = load_minilm()
    reference = ours.encode(texts)
    for name, make in _variants(ours).items():
        try:
            variant = make()
            vectors = variant(texts)
        except Exception as error:
            yield f"{name}: not available here ({type(error).__name__}: {str(error).splitlines()[0][:90]})"
            continue
        lowest = (vectors * reference).sum(axis=1).min()
        yield compare(
            name,
            partial(variant, texts),
            "ours",
            lambda: ours.encode(texts),
            turns=3,
            note=f"; lowest cosine {lowest:.6f}",
        )


def _variants(ours: Any) -> dict[str, Callable[[], Callable[[Sequence[str]], Vectors]]]:
    return {
        "batches of 8 texts of equal length": lambda: _batches(ours, 8),
        "batches of 32 texts of equal length": lambda: _batches(ours, 32),
        "batches of 128 texts of equal length": lambda: _batches(ours, 128),
        "both threads on one pack": lambda: _shared_pack(ours),
        "transformers' forward pass, a batch per thread": lambda: _transformers(ours),
        "OpenVINO, two streams": lambda: _openvino(ours),
        "packed without padding, one block-diagonal attention per pack of 512": lambda: _packed(ours),
        "torch.compile": lambda: _compiled(ours),
        "onnxruntime, fp32": lambda: _onnx(eight_bits=False),
        "onnxruntime, int8 weights": lambda: _onnx(eight_bits=True),
    }


def _batches(ours: Any, size: int) -> Callable[[Sequence[str]], Vectors]:
    return _encode_batches(ours, lambda lengths: batch_by_length(lengths, size), count_workers())


def _shared_pack(ours: Any) -> Callable[[Sequence[str]], Vectors]:
    return _encode_batches(ours, lambda lengths: pack_by_length(lengths, PACK), 1)


def _encode_batches(
    ours: Any, cut: Callable[[list[int]], Iterator[list[int]]], workers: int
) -> Callable[[Sequence[str]], Vectors]:
    bert = ours._bert

    def encode(texts: Sequence[str]) -> Vectors:
        rows = bert.tokenize(texts)
        bert.prepare()
        batches = list(cut([len(row) for row in rows]))
        return encode_batches(
            batches, lambda batch: bert.encode([rows[row] for row in batch]), lambda _: None, workers=workers
        )

    return encode


def _transformers(ours: Any) -> Callable[[Sequence[str]], Vectors]:
    from transformers import AutoModel

    return _batch_per_thread(ours, AutoModel.from_pretrained(ours.folder).eval())


def _batch_per_thread(ours: Any, model: Any) -> Callable[[Sequence[str]], Vectors]:
    def encode(texts: Sequence[str]) -> Vectors:
        rows = _tokens(ours, texts)

        def encode_rows(batch: list[int]) -> Vectors:
            with torch.inference_mode():
                return _unit(model(torch.tensor([rows[row] for row in batch])).last_hidden_state.mean(1))

        with one_core_each():
            return encode_by_length([len(row) for row in rows], 32, encode_rows, lambda _: None, workers=count_cores())

    return encode


def _openvino(ours: Any) -> Callable[[Sequence[str]], Vectors]:
    import openvino
    from transformers import AutoModel

    model = AutoModel.from_pretrained(ours.folder).eval()

    class Mean(torch.nn.Module):
        def forward(self, input_ids: torch.Tensor) -> torch.Tensor:
            states: torch.Tensor = model(input_ids, attention_mask=torch.ones_like(input_ids)).last_hidden_state
            return torch.nn.functional.normalize(states.mean(1), dim=1)

    converted = openvino.convert_model(Mean(), example_input=torch.ones(2, 8, dtype=torch.long))
    settings = {"INFERENCE_NUM_THREADS": 2, "NUM_STREAMS": 2, "INFERENCE_PRECISION_HINT": "f32"}
    compiled = openvino.Core().compile_model(converted, "CPU", settings)

    def encode(texts: Sequence[str]) -> Vectors:
        rows = _tokens(ours, texts)

        def encode_rows(batch: list[int]) -> Vectors:
            request = compiled.create_infer_request()
            return np.array(request.infer({0: np.array([rows[row] for row in batch])})[compiled.output(0)])

        return encode_by_length([len(row) for row in rows], 32, encode_rows, lambda _: None, workers=2)

    return encode


def _tokens(ours: Any, texts: Sequence[str]) -> list[list[int]]:
    from transformers import AutoTokenizer

    rows: list[list[int]] = AutoTokenizer.from_pretrained(ours.folder)(list(texts), truncation=True, max_length=256)[
        "input_ids"
    ]
    return rows


def _unit(pooled: torch.Tensor) -> Vectors:
    vectors: Vectors = torch.nn.functional.normalize(pooled, dim=1).numpy()
    return vectors


def _compiled(ours: Any) -> Callable[[Sequence[str]], Vectors]:
    from transformers import AutoModel

    return _batch_per_thread(ours, torch.compile(AutoModel.from_pretrained(ours.folder).eval(), dynamic=True))


def _packed(ours: Any) -> Callable[[Sequence[str]], Vectors]:
    from transformers import AutoModel

    model = AutoModel.from_pretrained(ours.folder).eval()

    def encode(texts: Sequence[str]) -> Vectors:
        rows = _tokens(ours, texts)
        vectors = np.empty((len(rows), model.config.hidden_size), dtype=np.float32)
        for pack in _packs(rows):
            lengths = torch.tensor([len(rows[row]) for row in pack])
            owner = torch.repeat_interleave(torch.arange(len(pack)), lengths)
            mask = torch.where(owner[:, None] == owner[None, :], 0.0, -torch.inf)[None, None]
            with torch.inference_mode():
                states = model(
                    torch.tensor([[token for row in pack for token in rows[row]]]),
                    attention_mask=mask,
                    position_ids=torch.cat([torch.arange(int(length)) for length in lengths])[None],
                ).last_hidden_state[0]
                sums = torch.zeros(len(pack), states.shape[1]).index_add_(0, owner, states)
                vectors[pack] = _unit(sums / lengths[:, None])
        return vectors

    return encode


def _packs(rows: list[list[int]]) -> Iterator[list[int]]:
    pack: list[int] = []
    for row in sorted(range(len(rows)), key=lambda row: len(rows[row])):
        if pack and sum(len(rows[one]) for one in pack) + len(rows[row]) > PACK:
            yield pack
            pack = []
        pack.append(row)
    yield pack


def _onnx(*, eight_bits: bool) -> Callable[[Sequence[str]], Vectors]:
    from onnxruntime.quantization import quantize_dynamic
    from tests.onnx_export import export_minilm

    folder = export_minilm(Path(tempfile.mkdtemp()) / "minilm")  # deleted with the machine's temporary files
    if eight_bits:
        quantize_dynamic(folder / "model.onnx", folder / "small.onnx")
        (folder / "small.onnx").replace(folder / "model.onnx")
    return load_onnx(str(folder)).encode
