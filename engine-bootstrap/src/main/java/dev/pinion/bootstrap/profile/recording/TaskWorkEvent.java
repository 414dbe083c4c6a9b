package dev.pinion.bootstrap.profile.recording;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** Event of a recording: the end of work for a task that a poll of the profiler fell into. */
@Name(TaskWorkEvent.NAME)
@Label("Work for a task")
@Description("What a thread worked on when the profiler looked; told when that work ends")
@Category("Pinion")
@StackTrace(false)
@SuppressWarnings("UnusedVariable") // the flight recorder reads the fields
final class TaskWorkEvent extends Event {
  static final String NAME = "dev.pinion.TaskWork";

  @Label("Worker")
  private final String worker;

  @Label("Definition")
  private final String definition;

  @Label("Task")
  private final String task;

  @Label("Service class")
  private final String serviceClass;

  @Label("Looks")
  @Description("How many looks fell into it, one each few milliseconds")
  private final int looks;

  TaskWorkEvent(String worker, String definition, String task, String serviceClass, int looks) {
    this.worker = worker;
    this.definition = definition;
    this.task = task;
    this.serviceClass = serviceClass;
    this.looks = looks;
  }
}
