package dev.pinion.bootstrap.child;

import dev.pinion.bootstrap.logging.LostLinesNotice;
import dev.pinion.bootstrap.process.LogPipe;
import dev.pinion.bootstrap.process.Signals;
import dev.pinion.bootstrap.protocol.ReplicaProtocol;
import java.io.FileDescriptor;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * This JVM as a child of the parent: standard input and output belong to their conversation,
 * everything else that is printed goes to the log, and the parent acts on signals.
 *
 * <p>The end of standard input ends the process at once, without shutdown hooks, so that it does
 * not outlive its parent, however busy it is.
 */
public final class ChildProcess {
  /** Longest time for writing the last lines of the log. */
  private static final Duration LOG_PATIENCE = Duration.ofSeconds(1);

  private ChildProcess() {}

  /** A program that the parent runs. */
  public interface Program {
    /**
     * Runs until ordered to drain.
     *
     * @param lostLines number of lost lines of the log
     * @return exit status
     */
    int run(ParentPipe parent, LongSupplier lostLines) throws InterruptedException;
  }

  /** Runs a program in this JVM; returns its exit status. */
  public static int run(Program program) throws InterruptedException {
    PrintStream toParent = System.out;
    LogPipe log = LogPipe.to("log", FileDescriptor.err, LostLinesNotice::line);
    System.setErr(new PrintStream(log, true, StandardCharsets.UTF_8));
    System.setOut(System.err);
    // A terminal sends its signals to every process; only the parent acts on them.
    Signals.handle("INT", () -> {});
    Signals.handle("HUP", () -> {});
    Signals.handle("TERM", () -> {});
    Runnable end = () -> Runtime.getRuntime().halt(ReplicaProtocol.EXIT_ORPHANED);
    int status = program.run(new ParentPipe(System.in, toParent, end), log::lostLines);
    log.end(LOG_PATIENCE);
    return status;
  }
}
