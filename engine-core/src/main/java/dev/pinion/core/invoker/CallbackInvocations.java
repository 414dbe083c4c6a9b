package dev.pinion.core.invoker;

import dev.pinion.core.binding.ServiceEndpoint;
import dev.pinion.core.message.Effect;
import dev.pinion.core.message.Reply.CallbackStatus;
import dev.pinion.core.model.HeapAccount;
import dev.pinion.core.model.call.CallOutcome;
import dev.pinion.core.model.call.CallbackAddresses;
import dev.pinion.core.model.call.CallbackResponse;
import dev.pinion.core.model.call.HttpCall;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Calls of services that may answer later, within one call of an abstract service, and late answers
 * on their way through handlers.
 *
 * <p>The sender of an answer gets one reply: behind the outcome that it leads to, or when the call
 * ends in another way. On the thread of the Invoker's event loop.
 */
final class CallbackInvocations {
  private final CallbackSettings callbackSettings;
  private final Effect.Invoke invoke;
  private final ReceiptListener receiptListener;

  /** Calls by the id of the concrete service. */
  private final Map<String, CallbackInvocation> calls = new HashMap<>();

  /** Answers whose outcome is not known yet, by the id of the concrete service. */
  private final Map<String, Effect.DeliverCallback> unheard = new HashMap<>();

  /**
   * Common parameters of all calls of an Invoker.
   *
   * @param callbacks the addresses of the engine, or null when it has none
   * @param outcomes evaluation of late answers
   * @param heap account of answers until they are read
   */
  record CallbackSettings(
      Supplier<@Nullable CallbackAddresses> callbacks, CallOutcomes outcomes, HeapAccount heap) {
    /** Reads an answer; returns whether the heap has room for its value. */
    boolean takeUp(CallbackResponse answer) {
      heap.endTransfer(answer.bytes().length);
      return heap.hasRoomForResponses();
    }
  }

  /** Receiver of reports about late answers. */
  @FunctionalInterface
  interface ReceiptListener {
    /** Reports a late answer. */
    void heard(Effect.DeliverCallback deliverCallback, CallbackStatus callbackStatus);
  }

  /** An empty set of calls. */
  CallbackInvocations(
      CallbackSettings callbackSettings, Effect.Invoke invoke, ReceiptListener receiptListener) {
    this.callbackSettings = callbackSettings;
    this.invoke = invoke;
    this.receiptListener = receiptListener;
  }

  /**
   * A caller for a service that may answer later.
   *
   * @param caller caller that makes its calls over the network
   * @param around wraps a caller in handlers, or returns it unchanged
   */
  ServiceCaller caller(
      ServiceEndpoint service, ServiceCaller caller, UnaryOperator<ServiceCaller> around) {
    ServiceCaller late = (call, callListener) -> begin(service, caller, call, callListener);
    return (call, callListener) ->
        around.apply(late).call(call, new ReceiptNotifier(service.id(), callListener));
  }

  private CallbackInvocation begin(
      ServiceEndpoint service, ServiceCaller caller, HttpCall call, ServiceCaller.CallListener to) {
    CallbackInvocation begun =
        new CallbackInvocation(caller, callbackSettings.outcomes, call, service.id(), to);
    calls.put(service.id(), begun);
    CallbackAddresses callbackAddresses = callbackSettings.callbacks.get();
    begun.begin(
        callbackAddresses == null
            ? null
            : callbackAddresses.address(
                new CallbackAddresses.CallReference(
                    invoke.id(), invoke.activity(), invoke.attempt(), service.id())));
    return begun;
  }

  /** Handles a late answer of a service. */
  void onCallback(Effect.DeliverCallback deliverCallback) {
    CallbackInvocation call = calls.get(deliverCallback.service());
    if (call == null || call.isOver()) {
      receiptListener.heard(deliverCallback, CallbackStatus.NOT_AWAITED);
    } else {
      unheard.put(deliverCallback.service(), deliverCallback);
      call.onCallback(deliverCallback.answer());
    }
  }

  /** Ends the call: answers without an outcome by now will never have one. */
  void end() {
    List<Effect.DeliverCallback> left = new ArrayList<>(unheard.values());
    unheard.clear();
    left.forEach(
        deliverCallback -> receiptListener.heard(deliverCallback, CallbackStatus.NOT_AWAITED));
  }

  /** Reports to the sender of a late answer that it was accepted, behind its outcome. */
  private final class ReceiptNotifier implements ServiceCaller.CallListener {
    private final String service;
    private final ServiceCaller.CallListener callListener;

    ReceiptNotifier(String service, ServiceCaller.CallListener callListener) {
      this.service = service;
      this.callListener = callListener;
    }

    @Override
    public void onOutcome(CallOutcome outcome) {
      Effect.DeliverCallback deliverCallback = unheard.remove(service);
      callListener.onOutcome(outcome);
      if (deliverCallback != null) {
        receiptListener.heard(deliverCallback, CallbackStatus.TAKEN);
      }
    }

    @Override
    public void onWork(int since) {
      callListener.onWork(since);
    }
  }
}
