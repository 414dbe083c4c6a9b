package dev.pinion.bootstrap.client;

import dev.pinion.bootstrap.client.a2a.A2aClient;
import dev.pinion.bootstrap.client.asyncapi.AsyncApiClient;
import dev.pinion.bootstrap.client.call.ProtocolSettings;
import dev.pinion.bootstrap.client.grpc.GrpcClient;
import dev.pinion.bootstrap.client.mcp.McpClient;
import dev.pinion.core.invoker.ProtocolClient;
import dev.pinion.core.invoker.ServiceCaller;
import dev.pinion.core.invoker.http.ClientTls;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.model.Clock;
import dev.pinion.core.model.call.Program;
import dev.pinion.core.model.call.ProtocolCall;
import dev.pinion.core.stage.ThreadSetup;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;

/**
 * The clients of an engine by protocol. Each is made for the first call that needs it, so that an
 * engine without such calls has none of their threads.
 */
public final class ProtocolClients implements ProtocolClient {
  private final ProtocolSettings settings;
  private final Map<ProtocolCall.Protocol, ProtocolClient> clients =
      new EnumMap<>(ProtocolCall.Protocol.class);
  private boolean closed;

  /** Clients that do not exist yet. */
  public ProtocolClients(ProtocolSettings settings) {
    this.settings = settings;
  }

  /**
   * Clients of an engine that runs programs of every kind, and trusts the certificates that the JVM
   * trusts.
   */
  public static ProtocolClients unrestricted() {
    try {
      return new ProtocolClients(
          new ProtocolSettings(
              EngineLimits.forHeap(Runtime.getRuntime().maxMemory()),
              ClientTls.load(null),
              EnumSet.allOf(Program.Kind.class),
              ThreadSetup.NONE,
              Clock.system()));
    } catch (IOException e) {
      throw new UncheckedIOException(e); // there is no file to read
    }
  }

  @Override
  public ServiceCaller.OngoingCall call(
      ProtocolCall call, CallingInvoker invoker, ServiceCaller.CallListener callListener) {
    return client(call.protocol()).call(call, invoker, callListener);
  }

  private synchronized ProtocolClient client(ProtocolCall.Protocol protocol) {
    return closed ? ProtocolClient.NONE : clients.computeIfAbsent(protocol, this::made);
  }

  private ProtocolClient made(ProtocolCall.Protocol protocol) {
    return switch (protocol) {
      case GRPC -> new GrpcClient(settings);
      case MCP -> new McpClient(settings);
      case A2A -> new A2aClient(settings);
      case ASYNCAPI -> new AsyncApiClient(settings);
    };
  }

  @Override
  public synchronized void close() {
    closed = true;
    clients.values().forEach(ProtocolClient::close);
    clients.clear();
  }
}
