package dev.pinion.bootstrap.client.asyncapi;

import dev.pinion.bootstrap.client.call.OutcomeReport;
import dev.pinion.bootstrap.client.call.ProtocolSettings;
import dev.pinion.core.invoker.ProtocolClient;
import dev.pinion.core.invoker.ServiceCaller;
import dev.pinion.core.model.ErrorType;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.call.CallOutcome;
import dev.pinion.core.model.call.HttpCall;
import dev.pinion.core.model.call.MessageProtocol;
import dev.pinion.core.model.call.MessagePublish;
import dev.pinion.core.model.call.MessageSubscription;
import dev.pinion.core.model.call.ProtocolCall;
import dev.pinion.core.stage.AncillaryThreadFactory;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends messages and receives those of subscriptions, by the protocols that AsyncAPI documents
 * name. What waits for a server runs on threads of its own.
 */
public final class AsyncApiClient implements ProtocolClient {
  private static final Logger LOG = LoggerFactory.getLogger(AsyncApiClient.class);
  private static final long IDLE_SECONDS = 30;

  private final ProtocolSettings settings;
  private final ThreadPoolExecutor workers;
  private final ScheduledThreadPoolExecutor timers;
  private final MessageContent content;
  private final ServerAddresses addresses;
  private final MessageTls tls;
  private final SubscriptionTable subscriptions;
  private final Map<MessageProtocol, MessageBinding> bindings =
      new EnumMap<>(MessageProtocol.class);
  private boolean closed;

  /** A client without connections. */
  public AsyncApiClient(ProtocolSettings settings) {
    this.settings = settings;
    int threads = settings.limits().messages().maxThreads();
    this.workers =
        new ThreadPoolExecutor(
            threads,
            threads,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            new AncillaryThreadFactory("messages", settings.threads()));
    workers.allowCoreThreadTimeOut(true);
    this.timers =
        new ScheduledThreadPoolExecutor(
            1, new AncillaryThreadFactory("message-timers", settings.threads()));
    timers.setRemoveOnCancelPolicy(true);
    this.content = new MessageContent(settings.limits());
    this.addresses = new ServerAddresses(settings.limits().invoker());
    this.tls = new MessageTls(settings.tls());
    this.subscriptions =
        new SubscriptionTable(
            settings.limits().messages(),
            content,
            request -> binding(request.endpoint().protocol()),
            timers);
  }

  private synchronized MessageBinding binding(MessageProtocol protocol) {
    if (closed) {
      throw new RejectedExecutionException("the engine stopped before the call ended");
    }
    MessageProtocol library = protocol == MessageProtocol.MQTT5 ? MessageProtocol.MQTT : protocol;
    return bindings.computeIfAbsent(library, this::made);
  }

  private MessageBinding made(MessageProtocol protocol) {
    return switch (protocol) {
      case HTTP -> new HttpSubscriptions(settings, addresses, tls);
      case WS -> new WebSocketBinding(settings, addresses, tls);
      case NATS -> new NatsBinding(settings, addresses, tls, timers);
      case MQTT, MQTT5 -> new MqttBinding(settings, addresses, tls, timers);
      case AMQP -> new AmqpBinding(settings, addresses, tls, timers);
    };
  }

  @Override
  public ServiceCaller.OngoingCall call(
      ProtocolCall call, CallingInvoker invoker, ServiceCaller.CallListener callListener) {
    return switch (call) {
      case MessagePublish publish ->
          invoker
              .services()
              .callBy(
                  (complete, listener) -> begun(publish, complete, invoker.loop(), listener),
                  publish.carrier(),
                  callListener);
      case MessageSubscription subscription ->
          invoker
              .services()
              .callBy(
                  (complete, listener) -> begun(subscription, complete, invoker.loop(), listener),
                  subscription.carrier(),
                  callListener);
      default ->
          throw new IllegalArgumentException(
              "expected a message or a subscription, found " + call.description());
    };
  }

  private ServiceCaller.OngoingCall begun(
      MessagePublish publish,
      HttpCall complete,
      Executor loop,
      ServiceCaller.CallListener callListener) {
    OutcomeReport report = new OutcomeReport(loop, callListener);
    MessageExchange exchange = new MessageExchange(report, publish.description(), () -> {});
    submit(exchange, () -> send(publish, complete, report));
    return exchange;
  }

  private void send(MessagePublish publish, HttpCall complete, OutcomeReport report)
      throws MessageFailure, InterruptedException {
    byte[] payload = content.encoded(complete, publish.endpoint().contentType());
    binding(publish.endpoint().protocol())
        .publish(OutgoingMessage.of(publish.endpoint(), complete, payload));
    report.tell(new CallOutcome.Succeeded(sent(publish.carrier())));
  }

  /** The message as the definition has it: what secrets add is not part of the output. */
  private static Payload sent(HttpCall carrier) {
    Map<String, Payload> headers = new LinkedHashMap<>();
    for (HttpCall.HeaderField field : carrier.headers()) {
      boolean own =
          !field.name().equals(HttpCall.IDEMPOTENCY_KEY) && !field.name().equals(HttpCall.ATTEMPT);
      if (own) {
        headers.put(field.name(), Payload.of(field.value()));
      }
    }
    Map<String, Payload> message = new LinkedHashMap<>();
    message.put("payload", carrier.body() == null ? Payload.NULL : carrier.body());
    message.put("headers", Payload.object(headers));
    return Payload.object(message);
  }

  private ServiceCaller.OngoingCall begun(
      MessageSubscription subscription,
      HttpCall complete,
      Executor loop,
      ServiceCaller.CallListener callListener) {
    OutcomeReport report = new OutcomeReport(loop, callListener);
    String key = subscription.key();
    MessageExchange exchange =
        new MessageExchange(
            report,
            subscription.description(),
            () -> execute(() -> subscriptions.withdraw(key, report)));
    SubscriptionRequest request = new SubscriptionRequest(subscription.endpoint(), key, complete);
    submit(
        exchange,
        () -> {
          subscriptions.receive(request, subscription.progress(), report);
          if (exchange.isCancelled()) { // before the subscription knew of it
            subscriptions.withdraw(key, report);
          }
        });
    return exchange;
  }

  /** Work that may wait and fail. */
  @FunctionalInterface
  private interface MessageWork {
    void run() throws MessageFailure, InterruptedException;
  }

  private void submit(MessageExchange exchange, MessageWork work) {
    Runnable guarded =
        () -> {
          if (exchange.isCancelled()) {
            return;
          }
          try {
            work.run();
          } catch (MessageFailure e) {
            exchange.report().tell(e.outcome());
          } catch (InterruptedException e) {
            exchange.report().fail(ErrorType.RUNTIME, "the engine stopped before the call ended");
          } catch (RuntimeException e) {
            LOG.warn("{} failed inside the engine", exchange.waitsFor(), e);
            exchange.report().fail(ErrorType.RUNTIME, "the call could not be made: " + e);
          }
        };
    if (!execute(guarded)) {
      exchange.report().fail(ErrorType.RUNTIME, "the engine stopped before the call ended");
    }
  }

  private boolean execute(Runnable work) {
    try {
      workers.execute(work);
      return true;
    } catch (RejectedExecutionException e) {
      return false;
    }
  }

  @Override
  public void close() {
    Map<MessageProtocol, MessageBinding> all = new EnumMap<>(MessageProtocol.class);
    synchronized (this) {
      closed = true;
      all.putAll(bindings);
      bindings.clear();
    }
    workers.shutdownNow();
    subscriptions.close();
    all.values().forEach(MessageBinding::close);
    timers.shutdownNow();
  }
}
