package dev.pinion.bootstrap.profile.recording;

import jdk.jfr.Category;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** Event of a recording: the CPU time of a thread during the recording, by the kernel. */
@Name(ThreadCpuEvent.NAME)
@Label("CPU time of a thread")
@Category("Pinion")
@StackTrace(false)
@SuppressWarnings("UnusedVariable") // the flight recorder reads the fields
final class ThreadCpuEvent extends Event {
  static final String NAME = "dev.pinion.ThreadCpu";

  @Label("Number of the thread")
  private final long tid;

  @Label("Name of the thread")
  private final String name;

  @Label("CPU time in nanoseconds")
  private final long nanos;

  ThreadCpuEvent(long tid, String name, long nanos) {
    this.tid = tid;
    this.name = name;
    this.nanos = nanos;
  }
}
