package dev.pinion.bootstrap.client.mcp;

import dev.pinion.bootstrap.client.call.OutcomeReport;
import dev.pinion.bootstrap.client.call.ProtocolSettings;
import dev.pinion.core.codec.PayloadCodec;
import dev.pinion.core.invoker.CallFailures;
import dev.pinion.core.invoker.ProtocolClient;
import dev.pinion.core.invoker.ServiceCaller;
import dev.pinion.core.model.ErrorType;
import dev.pinion.core.model.call.CallRequest;
import dev.pinion.core.model.call.HttpCall;
import dev.pinion.core.model.call.McpCall;
import dev.pinion.core.model.call.Program;
import dev.pinion.core.model.call.ProgramRun;
import dev.pinion.core.model.call.ProtocolCall;
import dev.pinion.core.program.ProgramDialogues;
import dev.pinion.core.program.ProgramSearch;

/** Calls servers of the Model Context Protocol: over HTTP by the Invoker, or as programs. */
public final class McpClient implements ProtocolClient {
  private final ProtocolSettings settings;
  private final PayloadCodec codec;
  private final ProgramDialogues programs;

  /** A client with the programs of this machine. */
  public McpClient(ProtocolSettings settings) {
    this(settings, ProgramSearch.of(System.getenv("PATH")));
  }

  /**
   * A client.
   *
   * @param search folders in which programs are found
   */
  McpClient(ProtocolSettings settings, ProgramSearch search) {
    this.settings = settings;
    this.codec = new PayloadCodec(settings.limits().json());
    this.programs =
        new ProgramDialogues(
            settings.limits().program(), settings.programs(), search, settings.threads());
  }

  @Override
  public ServiceCaller.OngoingCall call(
      ProtocolCall call, CallingInvoker invoker, ServiceCaller.CallListener callListener) {
    if (!(call instanceof McpCall mcp)) {
      throw new IllegalArgumentException("expected an MCP call, found " + call.description());
    }
    CallRequest carrier = mcp.carrier();
    if (carrier instanceof HttpCall http) {
      return invoker
          .services()
          .callBy(
              (complete, listener) -> begun(mcp, complete, invoker, listener), http, callListener);
    }
    if (carrier instanceof ProgramRun run) {
      return invoker
          .withSecrets()
          .apply((complete, listener) -> begun(mcp, complete, invoker, listener))
          .run(run, callListener);
    }
    throw new IllegalArgumentException(
        "expected an HTTP request or a program, found " + carrier.description());
  }

  private ServiceCaller.OngoingCall begun(
      McpCall call,
      HttpCall request,
      CallingInvoker invoker,
      ServiceCaller.CallListener callListener) {
    HttpMcpExchange exchange =
        new HttpMcpExchange(call, request, invoker, codec, settings.limits(), callListener);
    exchange.begin();
    return exchange;
  }

  private ServiceCaller.OngoingCall begun(
      McpCall call,
      ProgramRun run,
      CallingInvoker invoker,
      ServiceCaller.CallListener callListener) {
    StdioMcpExchange exchange =
        new StdioMcpExchange(
            new McpCall(call.request(), run),
            invoker.loop(),
            codec,
            settings.limits().protocol().maxMessages(),
            new OutcomeReport(invoker.loop(), callListener));
    if (programs.allows(Program.Kind.MCP)) {
      exchange.begin(programs, run);
    } else {
      callListener.onOutcome(
          CallFailures.of(
              ErrorType.AUTHORIZATION,
              "expected a program that the setting programs allows, found mcp"));
    }
    return exchange;
  }

  @Override
  public void close() {
    programs.close();
  }
}
