package dev.pinion.core.program;

import dev.pinion.core.invoker.CallFailures;
import dev.pinion.core.invoker.ServiceCaller;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.model.ErrorType;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.call.CallOutcome;
import dev.pinion.core.model.call.ProgramRun;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One run of a program: performed by a thread that may wait, cancelled by any. */
final class ProgramProcess implements ServiceCaller.OngoingCall {
  private static final Logger LOG = LoggerFactory.getLogger(ProgramProcess.class);

  /** The time outputs may stay open behind the end of the program. */
  private static final long DRAIN_MILLIS = 1_000;

  private final ProgramRun run;
  private final EngineLimits limits;
  private final ProgramHost host;
  private final Executor loop;
  private final ServiceCaller.CallListener callListener;
  private @Nullable Process process;
  private @Nullable StartedContainer container;
  private boolean killed;

  /** Takes the run out of the queue in which it waits for its turn. */
  private Runnable withdrawal = () -> {};

  /** Whether the listener wants no outcome, or has it. Loop only. */
  private boolean reported;

  ProgramProcess(
      ProgramRun run,
      EngineLimits limits,
      ProgramHost host,
      Executor loop,
      ServiceCaller.CallListener callListener) {
    this.run = run;
    this.limits = limits;
    this.host = host;
    this.loop = loop;
    this.callListener = callListener;
  }

  /** Sets how the run is taken out of its queue. Before it is put there. */
  void onWithdrawal(Runnable takeOut) {
    withdrawal = takeOut;
  }

  @Override
  public void cancel() {
    reported = true;
    host.streams().execute(() -> kill(ProgramKills.Reason.CANCELLED));
  }

  @Override
  public String waitsFor() {
    return "the end of " + run.description();
  }

  /** Kills the program because the engine ends, or keeps it from beginning. */
  void kill() {
    kill(null);
  }

  /**
   * Kills the program, or keeps it from beginning.
   *
   * @param reason for which it is counted; null when the engine ends or has failed
   */
  private void kill(ProgramKills.@Nullable Reason reason) {
    Process begun;
    StartedContainer inside;
    boolean first;
    synchronized (this) {
      first = !killed;
      killed = true;
      begun = process;
      inside = container;
    }
    if (begun == null) {
      withdrawal.run();
      return;
    }
    if (first && reason != null) {
      host.kills().add(reason);
    }
    ProgramSession.kill(begun.toHandle());
    if (inside != null && reason == null) { // else it is ended with the program
      inside.kill();
    }
  }

  private synchronized boolean isKilled() {
    return killed;
  }

  /** Runs the program and reports its outcome. */
  void perform() {
    Path folder = null;
    try {
      folder = ProgramCommands.folder();
      report(perform(host.commands().prepare(run, folder)));
    } catch (MissingProgramException e) {
      report(failed(ErrorType.CONFIGURATION, String.valueOf(e.getMessage())));
    } catch (IOException e) {
      report(failed(ErrorType.RUNTIME, run.description() + " could not begin: " + e.getMessage()));
    } catch (InterruptedException e) {
      kill(); // the engine stops: it makes the call again when it is back
    } catch (RuntimeException | OutOfMemoryError e) { // its task must not wait for ever
      LOG.error("{} failed inside the engine", run.description(), e);
      report(failed(ErrorType.RUNTIME, "the engine failed to " + run.description() + ": " + e));
      kill();
    } finally {
      if (folder != null) {
        FolderDeletion.delete(folder);
      }
    }
  }

  private CallOutcome perform(ProgramCommand command) throws IOException, InterruptedException {
    Payload detached = run.detached();
    CallOutcome early = detached == null ? null : yielded(detached);
    if (early instanceof CallOutcome.Failed) {
      return early;
    }
    Process begun = begin(command);
    if (begun == null) {
      return CallOutcome.Aborted.INSTANCE;
    }
    String guarded = host.guard().began(begun.pid(), command.container());
    try {
      return attend(begun, command.container(), early);
    } finally {
      host.guard().ended(guarded);
    }
  }

  /**
   * Feeds and reads a program until it has ended.
   *
   * @param early the outcome of a task that does not wait for the end; else null
   */
  private CallOutcome attend(
      Process begun, @Nullable StartedContainer started, @Nullable CallOutcome early)
      throws InterruptedException {
    Runnable onExcess = () -> kill(ProgramKills.Reason.OUTPUT);
    OutputCapture out = new OutputCapture(begun.getInputStream(), most(), onExcess);
    OutputCapture err = new OutputCapture(begun.getErrorStream(), most(), onExcess);
    CompletableFuture<Void> outputs =
        CompletableFuture.allOf(
            CompletableFuture.runAsync(out, host.streams()),
            CompletableFuture.runAsync(err, host.streams()));
    host.streams().execute(() -> feed(begun));
    if (early != null) {
      report(early);
    }
    boolean inTime = begun.waitFor(limits.program().timeoutSeconds(), TimeUnit.SECONDS);
    if (inTime) {
      ProgramSession.killRest(begun.pid());
    } else {
      kill(ProgramKills.Reason.TIMEOUT);
      begun.waitFor();
    }
    if (started != null) {
      end(started);
    }
    drain(outputs, begun);
    return inTime ? ended(begun.exitValue(), out, err) : tooLong();
  }

  /**
   * Ends the container of a program that has ended: its id is surely known by now, which it may not
   * have been when the program was killed.
   */
  private void end(StartedContainer started) {
    if (isKilled()) {
      started.kill();
    } else {
      started.removeAfterEnd();
    }
  }

  private int most() {
    return limits.program().maxOutputBytes();
  }

  /** Starts the program, unless it was cancelled before. */
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
      container = command.container();
      return process;
    }
  }

  private void feed(Process begun) {
    try (OutputStream stdin = begun.getOutputStream()) {
      Payload body = run.body();
      if (body != null) {
        stdin.write(body.asText().getBytes(StandardCharsets.UTF_8));
      }
    } catch (IOException e) {
      // the program reads no more: its exit code says whether that is wrong
    }
  }

  private static void drain(CompletableFuture<Void> outputs, Process begun)
      throws InterruptedException {
    try {
      outputs.get(DRAIN_MILLIS, TimeUnit.MILLISECONDS);
    } catch (ExecutionException e) {
      throw new IllegalStateException("an output could not be read", e);
    } catch (TimeoutException e) {
      closeOutputs(begun); // something that left the session still holds them
    }
  }

  private static void closeOutputs(Process begun) {
    try {
      begun.getInputStream().close();
      begun.getErrorStream().close();
    } catch (IOException e) {
      LOG.debug("an output was closed already", e);
    }
  }

  private CallOutcome ended(int code, OutputCapture out, OutputCapture err) {
    if (out.exceeded() || err.exceeded()) {
      return failed(
          ErrorType.RUNTIME,
          "expected "
              + run.description()
              + " to write at most "
              + most()
              + " bytes to each output (program.maxOutputBytes), found more");
    }
    if (code != 0 && !run.returns().hasCode()) {
      return failed(
          ErrorType.RUNTIME,
          "expected "
              + run.description()
              + " to end with exit code 0, found "
              + code
              + ProgramResult.lastWords(run, err.text()));
    }
    return yielded(ProgramResult.output(run.returns(), code, out.text(), err.text()));
  }

  /** The outcome with an output, or a failure when no record of the journal could hold it. */
  private CallOutcome yielded(Payload output) {
    int longest = limits.maxRecordedBytes();
    return output.isWithin(longest, Integer.MAX_VALUE, Integer.MAX_VALUE)
        ? new CallOutcome.Succeeded(output)
        : failed(
            ErrorType.RUNTIME,
            "expected the output of "
                + run.description()
                + " to have at most "
                + longest
                + " bytes for a record of the journal (request.maxBodyBytes,"
                + " invoker.maxResponseBytes), found more");
  }

  private CallOutcome tooLong() {
    return failed(
        ErrorType.TIMEOUT,
        "expected "
            + run.description()
            + " to end within "
            + limits.program().timeoutSeconds()
            + " s (program.timeoutSeconds), found it running");
  }

  private static CallOutcome failed(ErrorType type, String detail) {
    return CallFailures.of(type, detail);
  }

  private void report(CallOutcome outcome) {
    try {
      loop.execute(
          () -> {
            if (!reported && !(outcome instanceof CallOutcome.Aborted)) {
              reported = true;
              callListener.onOutcome(outcome);
            }
          });
    } catch (RejectedExecutionException e) {
      LOG.debug("{} ended after its event loop", run.description());
    }
  }
}
