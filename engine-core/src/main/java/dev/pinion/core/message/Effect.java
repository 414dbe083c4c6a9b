package dev.pinion.core.message;

import dev.pinion.core.binding.ServiceCandidates;
import dev.pinion.core.model.Expression;
import dev.pinion.core.model.InstanceId;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.Scope;
import dev.pinion.core.model.TaskReference;
import dev.pinion.core.model.call.CallRequest;
import dev.pinion.core.model.call.CallbackResponse;
import org.jspecify.annotations.Nullable;

/** Request of the kernel to another stage; the kernel itself performs none. */
public sealed interface Effect {
  /** Request to the Invoker. */
  sealed interface Invocation extends Effect permits Invoke, Abort, DeliverCallback {
    /** The instance that calls. */
    InstanceId id();

    /** The activity that calls. */
    int activity();

    /** The number of the call within the activity. */
    int attempt();
  }

  /**
   * Performs a call and reports its outcome once.
   *
   * @param kernel index of the kernel that receives the outcome
   * @param id the instance that calls
   * @param activity the activity that calls
   * @param attempt the number of the call within the activity
   * @param task the task that calls
   * @param call the request
   * @param candidates services for a call of an abstract service; when they are plain the call is
   *     already addressed to them; null when the definition names a concrete one
   * @param service the abstract service that the definition names, or null when it names none
   * @param serviceClass the service class of the instance, or null
   */
  record Invoke(
      int kernel,
      InstanceId id,
      int activity,
      int attempt,
      TaskReference task,
      CallRequest call,
      @Nullable ServiceCandidates candidates,
      @Nullable String service,
      @Nullable String serviceClass)
      implements Invocation {
    /** A call of a concrete service, for an instance without a service class. */
    public Invoke(
        int kernel,
        InstanceId id,
        int activity,
        int attempt,
        TaskReference task,
        CallRequest call) {
      this(kernel, id, activity, attempt, task, call, null, null, null);
    }
  }

  /**
   * Aborts a call; its outcome is no longer wanted, but still reported once.
   *
   * @param id the instance that called
   * @param activity the activity that called
   * @param attempt the number of the call within the activity
   */
  record Abort(InstanceId id, int activity, int attempt) implements Invocation {}

  /**
   * Passes on the late answer of a service to its call; the Invoker reports it once, behind the
   * outcome that it leads to.
   *
   * @param kernel index of the kernel that receives the report
   * @param id the instance that called
   * @param activity the activity that called
   * @param attempt the number of the call within the activity
   * @param service the concrete service
   * @param answer its answer
   * @param replyTo receiver of the reply
   */
  record DeliverCallback(
      int kernel,
      InstanceId id,
      int activity,
      int attempt,
      String service,
      CallbackResponse answer,
      ReplyAddress<Reply.CallbackReply> replyTo)
      implements Invocation {}

  /**
   * Evaluates an expression away from the event loops, under the large budget, and reports the
   * result once.
   *
   * @param kernel index of the kernel that receives the result
   * @param id the instance that asks
   * @param activity the activity that asks
   * @param attempt the number of the evaluation within the activity
   * @param task the task that asks
   * @param expression what to evaluate
   * @param input the value of {@code .}
   * @param scope the variables in scope; immutable
   * @param serviceClass the service class of the instance, or null
   */
  record Evaluate(
      int kernel,
      InstanceId id,
      int activity,
      int attempt,
      TaskReference task,
      Expression<?> expression,
      Payload input,
      Scope scope,
      @Nullable String serviceClass)
      implements Effect {}
}
