package dev.pinion.bootstrap.profile.recording;

import jdk.jfr.Category;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/**
 * Event of a recording: its beginning. A recording without it has lost its beginning to the bound
 * on its size.
 */
@Name(RecordingStartEvent.NAME)
@Label("A profile begins")
@Category("Pinion")
@StackTrace(false)
@SuppressWarnings("UnusedVariable") // the flight recorder reads the fields
final class RecordingStartEvent extends Event {
  static final String NAME = "dev.pinion.ProfileBegun";

  @Label("Milliseconds from one look to the next")
  private final long lookMillis;

  RecordingStartEvent(long lookMillis) {
    this.lookMillis = lookMillis;
  }
}
