package dev.pinion.core.invoker;

import dev.pinion.core.message.Effect;
import dev.pinion.core.message.KernelReply.Reception;
import dev.pinion.core.model.CallOutcome;
import dev.pinion.core.model.Callbacks;
import dev.pinion.core.model.HeapAccount;
import dev.pinion.core.model.HttpCall;
import dev.pinion.core.model.LateAnswer;
import dev.pinion.core.model.ServiceEndpoint;
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
final class LateCalls {
  private final Terms terms;
  private final Effect.Invoke invoke;
  private final Hearing hearing;

  /** Calls by the id of the concrete service. */
  private final Map<String, LateCall> calls = new HashMap<>();

  /** Answers whose outcome is not known yet, by the id of the concrete service. */
  private final Map<String, Effect.Answer> unheard = new HashMap<>();

  /**
   * Common parameters of all calls of an Invoker.
   *
   * @param callbacks the addresses of the engine, or null when it has none
   * @param outcomes evaluation of late answers
   * @param heap account of answers until they are read
   */
  record Terms(Supplier<@Nullable Callbacks> callbacks, Outcomes outcomes, HeapAccount heap) {
    /** Reads an answer; returns whether the heap has room for its value. */
    boolean takeUp(LateAnswer answer) {
      heap.arrived(answer.bytes().length);
      return heap.hasRoomForAnswers();
    }
  }

  /** Receiver of reports about late answers. */
  @FunctionalInterface
  interface Hearing {
    /** Reports a late answer. */
    void heard(Effect.Answer answer, Reception reception);
  }

  /** An empty set of calls. */
  LateCalls(Terms terms, Effect.Invoke invoke, Hearing hearing) {
    this.terms = terms;
    this.invoke = invoke;
    this.hearing = hearing;
  }

  /**
   * A caller for a service that may answer later.
   *
   * @param caller caller that makes its calls over the network
   * @param around wraps a caller in handlers, or returns it unchanged
   */
  ServiceCaller caller(
      ServiceEndpoint service, ServiceCaller caller, UnaryOperator<ServiceCaller> around) {
    ServiceCaller late = (call, listener) -> begin(service, caller, call, listener);
    return (call, listener) -> around.apply(late).call(call, new Told(service.id(), listener));
  }

  private LateCall begin(
      ServiceEndpoint service, ServiceCaller caller, HttpCall call, ServiceCaller.Listener to) {
    LateCall begun = new LateCall(caller, terms.outcomes, call, service.id(), to);
    calls.put(service.id(), begun);
    Callbacks callbacks = terms.callbacks.get();
    begun.begin(
        callbacks == null
            ? null
            : callbacks.address(
                new Callbacks.Call(
                    invoke.id(), invoke.activity(), invoke.attempt(), service.id())));
    return begun;
  }

  /** Handles a late answer of a service. */
  void answered(Effect.Answer answer) {
    LateCall call = calls.get(answer.service());
    if (call == null || call.isOver()) {
      hearing.heard(answer, Reception.NOT_AWAITED);
    } else {
      unheard.put(answer.service(), answer);
      call.answered(answer.answer());
    }
  }

  /** Ends the call: answers without an outcome by now will never have one. */
  void end() {
    List<Effect.Answer> left = new ArrayList<>(unheard.values());
    unheard.clear();
    left.forEach(answer -> hearing.heard(answer, Reception.NOT_AWAITED));
  }

  /** Reports to the sender of a late answer that it was accepted, behind its outcome. */
  private final class Told implements ServiceCaller.Listener {
    private final String service;
    private final ServiceCaller.Listener listener;

    Told(String service, ServiceCaller.Listener listener) {
      this.service = service;
      this.listener = listener;
    }

    @Override
    public void onOutcome(CallOutcome outcome) {
      Effect.Answer answer = unheard.remove(service);
      listener.onOutcome(outcome);
      if (answer != null) {
        hearing.heard(answer, Reception.TAKEN);
      }
    }

    @Override
    public void onWork(int since) {
      listener.onWork(since);
    }
  }
}
