package dev.pinion.core.kernel.listen;

import dev.pinion.core.spi.EventSubscriber.LoggedEvent;

/**
 * Who may receive an event by its position and its time: listeners to whom it is new, and those
 * that began later and get it only if nobody else does. Kernel thread only.
 */
final class EventAudience {
  private final EventIntake intake;
  private final UnheardEvents unheard;

  /** Position of the last event that was compared, in whatever epoch. */
  private long seen;

  EventAudience(EventIntake intake, UnheardEvents unheard) {
    this.intake = intake;
    this.unheard = unheard;
  }

  /** Records that an event was compared; returns whether none behind it was before. */
  boolean see(long position) {
    boolean first = position > seen;
    seen = Math.max(seen, position);
    return first;
  }

  /** Whether an event is new to a listener. */
  boolean isFresh(Listener listener, LoggedEvent current) {
    return intake.concerns(listener.partition, current.position()) && isSince(listener, current);
  }

  /** Whether an event was stored since a listener began, by its position or by its time. */
  private boolean isSince(Listener listener, LoggedEvent current) {
    if (listener.after >= 0) {
      return current.position() > listener.after;
    }
    return current.position() > intake.epochEnd()
        || current.receivedAtMillis() >= listener.sinceMillis;
  }

  /**
   * Whether a listener may get an event that nobody has consumed because it is kept. After a start
   * such events are read again while instances begin to listen, and those that had begun may have
   * stopped before they looked back, although their partition has come past the event. Who is about
   * to look back gets older ones first.
   */
  boolean isKeptFor(Listener listener, LoggedEvent current) {
    return unheard.areKept()
        && !listener.looksBack
        && isUnheard(listener, current.position())
        && isRecent(listener, current)
        && !listener.activity.keepsSchedule();
  }

  /** Whether an event that nobody has consumed was neither given up nor seen for a listener. */
  private boolean isUnheard(Listener listener, long position) {
    return position > seen
        || unheard.contains(position)
        || intake.concerns(listener.partition, position);
  }

  /** Whether a listener may get an event that is kept; false also for one that it has consumed. */
  boolean mayLookBackAt(Listener listener, LoggedEvent kept) {
    return kept.namespace().equals(listener.namespace())
        && isRecent(listener, kept)
        && !listener.state.hasConsumed(kept.position());
  }

  /** Whether an event was not kept for too long when a listener began. */
  private boolean isRecent(Listener listener, LoggedEvent current) {
    return current.receivedAtMillis() >= listener.sinceMillis - unheard.keepMillis();
  }
}
