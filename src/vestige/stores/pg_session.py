"""A connection to PostgreSQL that cannot write."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from vestige.errors import InputError

WAIT: dict[str, Any] = {"connect_timeout": 5, "tcp_user_timeout": 15_000}
SETTINGS = "-c default_transaction_read_only=on -c synchronize_seqscans=off -c max_parallel_workers_per_gather=0"


class Session:
    """One read-only transaction, in which every query sees the same rows. `place` names no password."""

    def __init__(self, where: str) -> None:
        import psycopg

        self.place = f"pgvector:{_without_password(where)}"
        with self.telling():
            self.connection = psycopg.connect(where, options=SETTINGS, **WAIT)
            self.connection.read_only = True
            self.connection.isolation_level = psycopg.IsolationLevel.REPEATABLE_READ

    def ask(self, query: Any, given: Sequence[Any] | None = None) -> list[Any]:
        """All rows that a query gives."""
        with self.telling(), self.connection.cursor() as cursor:
            return list(cursor.execute(query, given, binary=True))

    def ask_each(self, query: Any, given: Sequence[Sequence[Any]]) -> list[list[Any]]:
        """The rows of one query after another, sent without waiting for each."""
        with self.telling(), self.connection.cursor() as cursor:
            cursor.executemany(query, given, returning=True)
            answers = [cursor.fetchall()]
            while cursor.nextset():
                answers.append(cursor.fetchall())
        return answers

    def close(self) -> None:
        """End the transaction and the connection."""
        self.connection.close()

    @contextmanager
    def telling(self) -> Iterator[None]:
        """Whatever PostgreSQL refuses is told with what to do about it."""
        import psycopg
        from psycopg import errors

        try:
            yield
        except errors.InsufficientPrivilege as error:
            raise InputError(f"{self.place}: {_first(error)}; GRANT SELECT on it to this role") from error
        except psycopg.OperationalError as error:
            if self._is_open():
                raise InputError(
                    f"{self.place} cannot be read ({_first(error)}); mend that until this role can SELECT from it"
                ) from error
            raise InputError(
                f"{self.place} does not let us in or went away ({_first(error)}); "
                "check the server, the role and its password"
            ) from error
        except psycopg.Error as error:
            raise InputError(
                f"{self.place} cannot be read ({_first(error)}); expected a table of PostgreSQL"
            ) from error

    def _is_open(self) -> bool:
        """Whether the server still talks to us: a table that cannot be read just now is not one that went away."""
        return hasattr(self, "connection") and not self.connection.closed


def _without_password(where: str) -> str:
    import psycopg
    from psycopg.conninfo import conninfo_to_dict

    try:
        parts = conninfo_to_dict(where)
    except psycopg.ProgrammingError:
        raise InputError(
            "pgvector: was given no address of PostgreSQL; expected one as in "
            "'pgvector:postgresql://USER@HOST/DATABASE#TABLE.COLUMN'"
        ) from None
    user = f"{parts['user']}@" if parts.get("user") else ""
    port = f":{parts['port']}" if parts.get("port") else ""
    return f"postgresql://{user}{parts.get('host') or 'localhost'}{port}/{parts.get('dbname') or ''}"


def _first(error: Exception) -> str:
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return lines[0] if lines else type(error).__name__
