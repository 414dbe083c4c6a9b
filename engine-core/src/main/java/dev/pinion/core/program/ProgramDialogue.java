package dev.pinion.core.program;

import dev.pinion.core.limits.ProgramLimits;
import dev.pinion.core.model.call.ProgramRun;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A running program that is sent lines, and whose lines are read by a thread of its own. */
public final class ProgramDialogue {
  private static final Logger LOG = LoggerFactory.getLogger(ProgramDialogue.class);
  private static final int BUFFER_BYTES = 8_192;

  /** The time its outputs may stay open behind the end of a program. */
  private static final long DRAIN_MILLIS = 1_000;

  /** The time from the end of its input to that of a program. */
  private static final long GRACE_MILLIS = 1_000;

  private final ProgramRun run;
  private final ProgramLimits limits;
  private final ProgramCommands commands;
  private final ProgramGuard guard;
  private final ExecutorService streams;
  private final LineListener lineListener;

  /** What is still to be written; each part follows the one before. */
  private CompletableFuture<Void> writes = CompletableFuture.completedFuture(null);

  /** Takes the program out of the queue of those that wait for their turn. */
  private Runnable withdrawal = () -> {};

  private @Nullable Process process;
  private boolean killed;

  /** Whether the program has ended, so that another one may have its number. */
  private boolean over;

  private volatile boolean late;

  /** Told what a program says. On the thread that reads it. */
  public interface LineListener {
    /** Handles the begin of a program, to which lines may be sent from now on. */
    void onBegin(ProgramDialogue program);

    /** Handles a line of its standard output, without its end. */
    void onLine(String line);

    /**
     * Handles the end of the program, once, also when it could not begin.
     *
     * @param problem what was expected and what was found
     */
    void onEnd(String problem);
  }

  ProgramDialogue(
      ProgramRun run,
      ProgramLimits limits,
      ProgramCommands commands,
      ProgramGuard guard,
      ExecutorService streams,
      LineListener lineListener) {
    this.run = run;
    this.limits = limits;
    this.commands = commands;
    this.guard = guard;
    this.streams = streams;
    this.lineListener = lineListener;
  }

  /** Sets how the program is taken out of its queue. Before it is put there. */
  void onWithdrawal(Runnable takeOut) {
    withdrawal = takeOut;
  }

  /** Sends a line. Any thread, once the program has begun. */
  public void send(String line) {
    byte[] bytes = (line + "\n").getBytes(StandardCharsets.UTF_8);
    try {
      synchronized (this) {
        writes = writes.thenRunAsync(() -> write(bytes), streams);
      }
    } catch (RejectedExecutionException e) {
      LOG.debug("a line was not sent, as the engine stops");
    }
  }

  private void write(byte[] bytes) {
    Process begun;
    synchronized (this) {
      begun = process;
    }
    if (begun == null) {
      return;
    }
    try {
      OutputStream stdin = begun.getOutputStream();
      stdin.write(bytes);
      stdin.flush();
    } catch (IOException e) {
      // the program reads no more: its end says whether that is wrong
    }
  }

  /** Kills the program with everything that it started, now or as soon as it has begun. */
  public void kill() {
    Process begun;
    synchronized (this) {
      if (over) {
        return;
      }
      killed = true;
      begun = process;
    }
    if (begun == null) {
      withdrawal.run();
      return;
    }
    ProgramSession.kill(begun.toHandle());
    // Something that left the session may still hold the output.
    CompletableFuture.delayedExecutor(DRAIN_MILLIS, TimeUnit.MILLISECONDS, streams)
        .execute(() -> close(begun.getInputStream()));
  }

  private static void close(InputStream output) {
    try {
      output.close();
    } catch (IOException e) {
      LOG.debug("an output was closed already", e);
    }
  }

  /** Kills the program on another thread. Any thread. */
  public void end() {
    try {
      streams.execute(this::kill);
    } catch (RejectedExecutionException e) {
      LOG.debug("a program ends with the engine");
    }
  }

  /** Closes the input of the program, which has a moment to end then. Any thread. */
  public void finish() {
    try {
      synchronized (this) {
        writes = writes.thenRunAsync(this::closeInput, streams);
      }
      CompletableFuture.delayedExecutor(GRACE_MILLIS, TimeUnit.MILLISECONDS, streams)
          .execute(this::kill);
    } catch (RejectedExecutionException e) {
      LOG.debug("a program ends with the engine");
    }
  }

  private void closeInput() {
    Process begun;
    synchronized (this) {
      begun = process;
    }
    if (begun == null) {
      return;
    }
    try {
      begun.getOutputStream().close();
    } catch (IOException e) {
      LOG.debug("an input was closed already", e);
    }
  }

  /** Runs the program until it ends. */
  void perform() {
    Path folder = null;
    String problem;
    try {
      folder = ProgramCommands.folder();
      problem = perform(commands.prepare(run, folder));
    } catch (MissingProgramException e) {
      problem = String.valueOf(e.getMessage());
    } catch (IOException e) {
      problem = run.description() + " could not begin: " + e.getMessage();
    } catch (InterruptedException e) {
      kill();
      problem = "the engine stopped before the program ended";
    } catch (RuntimeException e) {
      LOG.error("{}: what it says could not be handled", run.description(), e);
      problem = "what " + run.description() + " says could not be handled: " + e;
    } finally {
      if (folder != null) {
        FolderDeletion.delete(folder);
      }
    }
    lineListener.onEnd(problem);
  }

  private String perform(ProgramCommand command) throws IOException, InterruptedException {
    Process begun = begin(command);
    if (begun == null) {
      return "the program was stopped before it began";
    }
    String guarded = guard.began(begun.pid(), null);
    try {
      return converse(begun);
    } finally {
      guard.ended(guarded);
    }
  }

  private String converse(Process begun) throws InterruptedException {
    OutputCapture err =
        new OutputCapture(begun.getErrorStream(), limits.maxOutputBytes(), this::kill);
    CompletableFuture<Void> errors = CompletableFuture.runAsync(err, streams);
    CompletableFuture<Void> watch = new CompletableFuture<>();
    CompletableFuture<Void> _ =
        watch
            .completeOnTimeout(null, limits.timeoutSeconds(), TimeUnit.SECONDS)
            .thenRunAsync(this::onLate, streams);
    boolean within;
    try {
      lineListener.onBegin(this);
      within = read(begun.getInputStream());
    } finally {
      watch.cancel(false);
      kill();
    }
    begun.waitFor();
    synchronized (this) {
      over = true;
    }
    drain(errors, begun);
    return problem(begun.exitValue(), within, err);
  }

  private static void drain(CompletableFuture<Void> errors, Process begun)
      throws InterruptedException {
    try {
      errors.get(DRAIN_MILLIS, TimeUnit.MILLISECONDS);
    } catch (ExecutionException e) {
      throw new IllegalStateException("an output could not be read", e);
    } catch (TimeoutException e) {
      close(begun.getErrorStream());
    }
  }

  private void onLate() {
    late = true;
    kill();
  }

  private @Nullable Process begin(ProgramCommand command) throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder(command.words()).directory(command.folder().toFile());
    builder.environment().clear();
    builder.environment().putAll(command.environment());
    synchronized (this) {
      if (killed) {
        return null;
      }
      process = builder.start();
      return process;
    }
  }

  /** Reads lines until there are no more; returns whether they are within the bound. */
  private boolean read(InputStream stdout) {
    byte[] buffer = new byte[BUFFER_BYTES];
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    long all = 0;
    try (stdout) {
      for (int read = stdout.read(buffer); read >= 0; read = stdout.read(buffer)) {
        all += read;
        if (all > limits.maxOutputBytes()) {
          return false;
        }
        split(buffer, read, line);
      }
    } catch (IOException e) {
      // closed, because the program was killed: what it wrote before counts
    }
    return true;
  }

  private void split(byte[] buffer, int length, ByteArrayOutputStream line) {
    for (int i = 0; i < length; i++) {
      if (buffer[i] == '\n') {
        lineListener.onLine(line.toString(StandardCharsets.UTF_8));
        line.reset();
      } else {
        line.write(buffer[i]);
      }
    }
  }

  private String problem(int code, boolean within, OutputCapture err) {
    if (!within || err.exceeded()) {
      return "expected "
          + run.description()
          + " to write at most "
          + limits.maxOutputBytes()
          + " bytes to each output (program.maxOutputBytes), found more";
    }
    if (late) {
      return "expected "
          + run.description()
          + " to end within "
          + limits.timeoutSeconds()
          + " s (program.timeoutSeconds), found it running";
    }
    return "expected "
        + run.description()
        + " to answer, found its end with exit code "
        + code
        + ProgramResult.lastWords(run, err.text());
  }
}
