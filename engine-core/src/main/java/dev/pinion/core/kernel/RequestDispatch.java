package dev.pinion.core.kernel;

import dev.pinion.core.message.Command;
import dev.pinion.core.message.KernelMessage;
import dev.pinion.core.message.Query;
import dev.pinion.core.model.HeapAccount;

/** Gives each request from the Request Handlers to the part that carries it out. */
final class RequestDispatch {
  private final HeapAccount heap;
  private final Starts starts;
  private final Controls controls;
  private final RetryAndRerun retryAndRerun;
  private final CallbackRelay callbackRelay;
  private final ScheduleQueries scheduleQueries;
  private final InstanceQueries instanceQueries;

  RequestDispatch(
      HeapAccount heap,
      Starts starts,
      Controls controls,
      RetryAndRerun retryAndRerun,
      CallbackRelay callbackRelay,
      ScheduleQueries scheduleQueries,
      InstanceQueries instanceQueries) {
    this.heap = heap;
    this.starts = starts;
    this.controls = controls;
    this.retryAndRerun = retryAndRerun;
    this.callbackRelay = callbackRelay;
    this.scheduleQueries = scheduleQueries;
    this.instanceQueries = instanceQueries;
  }

  void onRequest(KernelMessage message) {
    switch (message) {
      case Command.Start start -> {
        heap.endTransfer(start.input());
        starts.start(start);
      }
      case Command.InstanceControl control -> controls.control(control);
      case Command.Retry retry -> retryAndRerun.retry(retry);
      case Command.Rerun rerun -> retryAndRerun.rerun(rerun);
      case Command.AcceptCallback late -> {
        heap.endTransfer(late.answer().bytes().length);
        callbackRelay.onCallback(late);
      }
      case Command.ControlSchedule control -> scheduleQueries.control(control);
      case Query.InstanceQuery query -> instanceQueries.answer(query);
      case Query.ListInstances list -> instanceQueries.answer(list);
      case Query.ScheduleQuery query -> scheduleQueries.answer(query);
    }
  }
}
