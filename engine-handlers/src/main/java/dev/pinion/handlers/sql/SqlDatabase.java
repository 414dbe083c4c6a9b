package dev.pinion.handlers.sql;

import java.sql.SQLException;
import org.jdbi.v3.core.ConnectionFactory;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.JdbiException;
import org.jdbi.v3.core.statement.SqlStatements;
import org.jdbi.v3.core.statement.StatementExceptions;
import org.jdbi.v3.core.statement.StatementExceptions.MessageRendering;
import org.jdbi.v3.core.statement.TemplateEngine;
import org.jspecify.annotations.Nullable;

/**
 * A database whose failures are those of JDBC: a full disk, damage and refused data are recognised
 * by the codes of an {@link SQLException}, which JDBI wraps. SQL is sent as written. For any
 * thread; a handle is for one.
 */
public final class SqlDatabase {
  private final ConnectionFactory connections;

  /** Null before it is needed: JDBI takes a while to load. Guarded by this. */
  private @Nullable Jdbi jdbi;

  /** A database; nothing is opened yet. */
  public SqlDatabase(ConnectionFactory connections) {
    this.connections = connections;
  }

  private synchronized Jdbi jdbi() {
    Jdbi known = jdbi;
    if (known == null) {
      known = Jdbi.create(connections);
      known.configure(SqlStatements.class, each -> each.setTemplateEngine(TemplateEngine.NOP));
      known.configure(
          StatementExceptions.class, each -> each.setMessageRendering(MessageRendering.NONE));
      jdbi = known;
    }
    return known;
  }

  /** Work with an open database. */
  public interface Work<T extends @Nullable Object> {
    /** Does the work. */
    T on(Handle open) throws SQLException;
  }

  /** Opens a connection. */
  public Handle open() throws SQLException {
    try {
      return jdbi().open();
    } catch (JdbiException e) {
      throw failure(e);
    }
  }

  /** Does work with an open handle; commits nothing. */
  public static <T extends @Nullable Object> T run(Handle open, Work<T> work) throws SQLException {
    try {
      return work.on(open);
    } catch (JdbiException e) {
      throw failure(e);
    }
  }

  /** Does work with an open handle and commits it. After a failure the caller closes the handle. */
  public static <T extends @Nullable Object> T commit(Handle open, Work<T> work)
      throws SQLException {
    return run(
        open,
        _ -> {
          T result = work.on(open);
          open.commit();
          return result;
        });
  }

  /** Does work with a new connection and closes it; commits nothing. */
  public <T extends @Nullable Object> T read(Work<T> work) throws SQLException {
    try (Handle open = jdbi().open()) {
      return work.on(open);
    } catch (JdbiException e) {
      throw failure(e);
    }
  }

  /** Does work with a new connection, in one transaction, and closes it. */
  public <T extends @Nullable Object> T transaction(Work<T> work) throws SQLException {
    try (Handle open = jdbi().open()) {
      return commit(open, work);
    } catch (JdbiException e) {
      throw failure(e);
    }
  }

  /** The failure of JDBC behind one of JDBI. */
  private static SQLException failure(JdbiException e) {
    for (Throwable each = e.getCause(); each != null; each = each.getCause()) {
      if (each instanceof SQLException sql) {
        return sql;
      }
    }
    return new SQLException(e.getMessage(), e);
  }

  /** Closes a handle; that it fails after another failure is of no interest. */
  public static void close(@Nullable Handle open) {
    if (open != null) {
      try {
        open.close();
      } catch (JdbiException e) {
        // it failed before, which was reported
      }
    }
  }
}
