package dev.pinion.bootstrap.client;

import dev.pinion.bootstrap.client.a2a.A2aClient;
import dev.pinion.bootstrap.client.asyncapi.AsyncApiClient;
import dev.pinion.bootstrap.client.call.ProtocolSettings;
import dev.pinion.bootstrap.client.grpc.GrpcClient;
import dev.pinion.bootstrap.client.mcp.McpClient;
import dev.pinion.core.invoker.ProtocolClient;
import dev.pinion.core.invoker.ServiceCaller;
import dev.pinion.core.model.ProtocolCall;
import java.util.EnumMap;
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
