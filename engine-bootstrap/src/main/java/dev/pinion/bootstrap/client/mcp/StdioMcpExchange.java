package dev.pinion.bootstrap.client.mcp;

import dev.pinion.bootstrap.client.call.CallTimeLimit;
import dev.pinion.bootstrap.client.call.OutcomeReport;
import dev.pinion.core.codec.PayloadCodec;
import dev.pinion.core.codec.PayloadSyntaxException;
import dev.pinion.core.invoker.CallFailures;
import dev.pinion.core.invoker.ServiceCaller;
import dev.pinion.core.model.ErrorType;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.call.CallOutcome;
import dev.pinion.core.model.call.McpCall;
import dev.pinion.core.model.call.ProgramRun;
import dev.pinion.core.program.ProgramDialogue;
import dev.pinion.core.program.ProgramDialogues;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * One call of a server that is a program of this machine: it runs for this call only. Begun and
 * cancelled by its Invoker; the thread that reads the program does the rest.
 */
final class StdioMcpExchange implements ServiceCaller.OngoingCall, ProgramDialogue.LineListener {
  private final McpCall call;
  private final McpDialogue dialogue;
  private final PayloadCodec codec;
  private final int maxMessages;
  private final OutcomeReport report;
  private final CallTimeLimit limit;
  private @Nullable ProgramDialogue program;

  /** Used by the thread that reads the program. */
  private @Nullable ProgramDialogue begun;

  private int messages;
  private boolean ended;

  /**
   * A call that has not begun.
   *
   * @param call the call with everything that it needs
   * @param loop runs tasks on the thread of the Invoker
   */
  StdioMcpExchange(
      McpCall call, Executor loop, PayloadCodec codec, int maxMessages, OutcomeReport report) {
    this.call = call;
    this.dialogue = new McpDialogue(call.request(), call.carrier(), call.description());
    this.codec = codec;
    this.maxMessages = maxMessages;
    this.report = report;
    this.limit = new CallTimeLimit(call.request().timeoutNanos(), loop, this::onLate);
  }

  /** Begins the program. On the thread of the Invoker. */
  void begin(ProgramDialogues programs, ProgramRun run) {
    program = programs.begin(run, this);
  }

  @Override
  public void cancel() {
    report.cancel();
    stop();
  }

  /** On the thread of the Invoker. */
  private void onLate() {
    report.fail(
        ErrorType.TIMEOUT,
        "expected "
            + call.description()
            + " to end within its time, found it waiting for "
            + waitsFor());
    stop();
  }

  private void stop() {
    limit.stop();
    if (program != null) {
      program.end();
    }
  }

  @Override
  public String waitsFor() {
    return "the answer of a program";
  }

  @Override
  public void onBegin(ProgramDialogue started) {
    begun = started;
    send(dialogue.initialize());
  }

  @Override
  public void onLine(String line) {
    Payload message = ended || line.isBlank() ? null : message(line);
    if (message == null) {
      return;
    }
    if (++messages > maxMessages) {
      finish(
          CallFailures.communication(
              "expected at most "
                  + maxMessages
                  + " messages (protocol.maxMessages) of "
                  + call.description()
                  + ", found more"));
      return;
    }
    switch (dialogue.on(message)) {
      case McpDialogue.Listen() -> {}
      case McpDialogue.Reply(Payload reply) -> send(reply);
      case McpDialogue.Begun() -> dialogue.afterInitialize().forEach(this::send);
      case McpDialogue.Ended(CallOutcome outcome) -> finish(outcome);
    }
  }

  /** The message in a line; null for other lines, which some servers write by mistake. */
  private @Nullable Payload message(String line) {
    byte[] text = line.getBytes(StandardCharsets.UTF_8);
    try {
      return codec.readBounded(text, 0, text.length);
    } catch (PayloadSyntaxException e) {
      return null;
    }
  }

  private void send(Payload message) {
    if (begun != null) {
      begun.send(message.toString());
    }
  }

  private void finish(CallOutcome outcome) {
    ended = true;
    limit.stop();
    report.tell(outcome);
    if (begun != null) {
      begun.finish();
    }
  }

  @Override
  public void onEnd(String problem) {
    if (!ended) {
      ended = true;
      limit.stop();
      report.fail(ErrorType.RUNTIME, problem + ", in " + call.description());
    }
  }
}
