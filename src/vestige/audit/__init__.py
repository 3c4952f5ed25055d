"""Plan, run and resume an audit; gates and the verdict. `vestige.audit(...)` is `vestige.audit.run.audit(...)`."""

from vestige.callable_package import make_callable

make_callable(__name__)
