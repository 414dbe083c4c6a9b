package dev.pinion.bootstrap.supervise;

import dev.pinion.bootstrap.process.LogLine;
import java.io.PrintStream;
import java.time.Instant;
import java.util.function.Supplier;

/**
 * The parent's own log: one line per event, as JSON for machines or as text for people, in the
 * format of the replicas.
 */
public final class SupervisorLog {
  private static final String LOGGER = "dev.pinion.supervisor";

  private final PrintStream out;
  private final boolean json;
  private final Supplier<Instant> clock;

  /**
   * A log.
   *
   * @param out output of the lines
   * @param json whether lines are JSON
   * @param clock clock for times in lines
   */
  public SupervisorLog(PrintStream out, boolean json, Supplier<Instant> clock) {
    this.out = out;
    this.json = json;
    this.clock = clock;
  }

  /** Logs an expected event. */
  public void info(String message) {
    write("INFO", message);
  }

  /** Logs a problem that was handled. */
  public void warn(String message) {
    write("WARN", message);
  }

  /** Logs a problem that needs a person. */
  public void error(String message) {
    write("ERROR", message);
  }

  private void write(String level, String message) {
    Instant now = clock.get();
    out.println(
        json
            ? LogLine.json(now, level, LOGGER, message)
            : LogLine.text(now, level, LOGGER, message));
    out.flush();
  }
}
