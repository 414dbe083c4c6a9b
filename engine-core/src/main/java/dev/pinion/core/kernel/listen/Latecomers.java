package dev.pinion.core.kernel.listen;

import dev.pinion.core.spi.EventSubscriber.LoggedEvent;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/** Listeners that are compared with the events that are kept, one after the other. */
final class Latecomers {
  private final ListenerIndex index;
  private final UnheardEvents unheard;
  private final Deque<Latecomer> waiting = new ArrayDeque<>();

  Latecomers(ListenerIndex index, UnheardEvents unheard) {
    this.index = index;
    this.unheard = unheard;
  }

  void add(Listener listener) {
    listener.looksBack = true;
    waiting.add(new Latecomer(listener));
  }

  boolean isEmpty() {
    return waiting.isEmpty();
  }

  /** The next event for the first of them; null when there is none, and the first one is done. */
  @Nullable LoggedEvent next() {
    Latecomer latecomer = waiting.getFirst();
    Listener listener = latecomer.listener;
    LoggedEvent kept = index.holds(listener) ? unheard.next(latecomer) : null;
    if (kept == null || kept.position() > listener.after) {
      listener.looksBack = false;
      waiting.removeFirst();
      return null;
    }
    return kept;
  }

  /** The first of them. */
  Listener first() {
    return waiting.getFirst().listener;
  }

  /** Records that the first of them was compared with an event. */
  void compared(LoggedEvent kept) {
    waiting.getFirst().comparedUpTo = kept.position();
  }
}
