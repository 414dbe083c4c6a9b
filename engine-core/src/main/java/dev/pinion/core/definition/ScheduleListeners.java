package dev.pinion.core.definition;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Those who are told when the schedules of a registry have changed. Any thread. */
final class ScheduleListeners {
  private final List<Runnable> listeners = new CopyOnWriteArrayList<>();

  void add(Runnable listener) {
    listeners.add(listener);
  }

  void remove(Runnable listener) {
    listeners.remove(listener);
  }

  /** Tells them. */
  void changed() {
    listeners.forEach(Runnable::run);
  }
}
