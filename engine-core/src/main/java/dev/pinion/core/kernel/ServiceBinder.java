package dev.pinion.core.kernel;

import dev.pinion.core.binding.AbstractServiceUri;
import dev.pinion.core.binding.BindingSource;
import dev.pinion.core.binding.BindingTable;
import dev.pinion.core.binding.BoundService;
import dev.pinion.core.binding.CallObserver;
import dev.pinion.core.binding.ServiceCandidates;
import dev.pinion.core.kernel.step.Activity;
import dev.pinion.core.kernel.step.Instance;
import dev.pinion.core.message.Event;
import dev.pinion.core.model.ErrorType;
import dev.pinion.core.model.ExpressionException;
import dev.pinion.core.model.WorkflowError;
import dev.pinion.core.model.call.CallRequest;
import dev.pinion.core.model.call.HttpCall;
import dev.pinion.core.model.instance.InstanceState;
import dev.pinion.core.model.instance.InstanceView;
import org.jspecify.annotations.Nullable;

/**
 * Chooses the service for each call of an abstract service, whose scheme is {@code svc}.
 *
 * <p>The choice is made outside the steps of instances, like the outcomes of calls: no state
 * depends on it, so a replay need not know it. But a call that was perhaps made, and whose
 * operation must not run twice or whose response may arrive later, must go to the same services
 * when it is made again; and where an abstract service keeps state for its callers, all calls of an
 * instance must go to one. These choices are recorded before the call goes out, and looked up here
 * later.
 */
final class ServiceBinder {
  private final BindingSource bindings;
  private final EventRecorder recorder;
  private final CallObserver observer;
  private final ServiceUriCache uris = new ServiceUriCache();

  /**
   * A call as it goes to the Invoker.
   *
   * @param call to a concrete service, or to the abstract one when the candidates are not plain
   * @param candidates services that can do it; null when the definition names a concrete service
   * @param service the abstract service, or null when the definition names a concrete one
   */
  record CallBinding(
      CallRequest call, @Nullable ServiceCandidates candidates, @Nullable String service) {}

  ServiceBinder(BindingSource bindings, EventRecorder recorder) {
    this.bindings = bindings;
    this.recorder = recorder;
    this.observer = bindings.observer();
  }

  /**
   * Binds a call to a service.
   *
   * @param attempt the number of the call within its activity
   * @throws ExpressionException when the service it names is not bound
   */
  CallBinding bind(Activity activity, int attempt, CallRequest request) {
    return request instanceof HttpCall call && AbstractServiceUri.isAbstract(call)
        ? bindAbstract(activity, attempt, call)
        : new CallBinding(request, null, null);
  }

  private CallBinding bindAbstract(Activity activity, int attempt, HttpCall call) {
    ServiceUriCache.AbstractUri uri = uris.of(call);
    String name = uri.service();
    String serviceClass = serviceClass(activity.instance());
    BindingTable table = bindings.current();
    BoundService service = table.service(serviceClass, name);
    if (service == null) {
      throw failure("expected a binding of the abstract service \"" + name + "\", found none");
    }
    ServiceCandidates chosen = choose(activity, attempt, name, service);
    begin(activity.instance(), serviceClass); // begun before, or restored after a restart
    observer.invoked(name, serviceClass);
    return chosen.isDirect()
        ? new CallBinding(chosen.first().addressedCall(call, uri.at(chosen.first())), chosen, name)
        : new CallBinding(call, chosen, name);
  }

  /**
   * Reports the start of an instance. Where services are bound it counts as a request of its class,
   * whether or not it will invoke any: a promise to a class covers all of its requests.
   */
  void started(Instance instance) {
    if (!bindings.current().classes().isEmpty()) {
      begin(instance, serviceClass(instance));
    }
  }

  private void begin(Instance instance, @Nullable String serviceClass) {
    if (instance.observe()) {
      observer.begun(serviceClass);
    }
  }

  /** Reports the end of an instance. */
  void ended(Instance instance, InstanceView view) {
    if (instance.isObserved() && view.state() != InstanceState.CANCELLED) {
      long millis = Math.max(0, instance.nowEpochMillis() - instance.startedAtEpochMillis());
      observer.ended(serviceClass(instance), millis, view.state() == InstanceState.COMPLETED);
    }
  }

  private ServiceCandidates choose(
      Activity activity, int attempt, String name, BoundService service) {
    Instance instance = activity.instance();
    String known = service.isStateful() ? instance.boundTo(name) : null;
    if (known == null && activity.boundAttempt() == attempt) {
      known = activity.boundTo();
    }
    if (known != null) {
      return recordedCandidates(service, name, known);
    }
    ServiceCandidates chosen = service.next();
    if (service.isStateful()) {
      recordBinding(
          instance, Event.ServiceBound.ofInstance(instance.id(), name, chosen.first().id()));
    } else if (chosen.mustBeRecorded()) {
      recordBinding(
          instance,
          new Event.ServiceBound(instance.id(), activity.slot(), attempt, name, chosen.name()));
    }
    return chosen;
  }

  private void recordBinding(Instance instance, Event.ServiceBound serviceBound) {
    recorder.recordBinding(instance, serviceBound);
    instance.apply(serviceBound);
  }

  private static ServiceCandidates recordedCandidates(
      BoundService service, String name, String to) {
    ServiceCandidates serviceCandidates = service.named(to);
    if (serviceCandidates == null) {
      throw failure(
          "expected the service \""
              + to
              + "\", which a call of \""
              + name
              + "\" is bound to and no other may do, found that it was withdrawn");
    }
    return serviceCandidates;
  }

  /** The service class that the client has named for an instance, or null. */
  static @Nullable String serviceClass(Instance instance) {
    return instance.tags().serviceClass();
  }

  private static ExpressionException failure(String detail) {
    return new ExpressionException(WorkflowError.of(ErrorType.CONFIGURATION, detail));
  }
}
