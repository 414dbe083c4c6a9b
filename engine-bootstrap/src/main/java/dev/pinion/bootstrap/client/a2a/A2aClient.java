package dev.pinion.bootstrap.client.a2a;

import dev.pinion.bootstrap.client.call.ProtocolSettings;
import dev.pinion.core.codec.PayloadCodec;
import dev.pinion.core.invoker.ProtocolClient;
import dev.pinion.core.invoker.ServiceCaller;
import dev.pinion.core.model.call.A2aCall;
import dev.pinion.core.model.call.HttpCall;
import dev.pinion.core.model.call.ProtocolCall;

/** Calls agents by JSON-RPC over HTTP connections of the Invoker. */
public final class A2aClient implements ProtocolClient {
  private final PayloadCodec codec;
  private final int maxMessages;

  public A2aClient(ProtocolSettings settings) {
    this.codec = new PayloadCodec(settings.limits().json());
    this.maxMessages = settings.limits().protocol().maxMessages();
  }

  @Override
  public ServiceCaller.OngoingCall call(
      ProtocolCall call, CallingInvoker invoker, ServiceCaller.CallListener callListener) {
    if (!(call instanceof A2aCall a2a)) {
      throw new IllegalArgumentException("expected an A2A call, found " + call.description());
    }
    ServiceCaller services = invoker.services();
    return services.callBy(
        (complete, listener) -> begun(a2a.method(), complete, services, listener),
        a2a.request(),
        callListener);
  }

  private ServiceCaller.OngoingCall begun(
      String method,
      HttpCall request,
      ServiceCaller services,
      ServiceCaller.CallListener callListener) {
    A2aExchange exchange = new A2aExchange(new A2aCall(method, request), callListener);
    exchange.begin(services, codec, maxMessages);
    return exchange;
  }

  @Override
  public void close() {}
}
