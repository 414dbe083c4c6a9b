package dev.pinion.core.kernel;

import dev.pinion.core.events.EventLog;
import dev.pinion.core.events.InMemoryEventLog;
import dev.pinion.core.spi.EventSubscriber.LoggedEvent;
import java.util.ArrayList;
import java.util.List;

/** A log of events that remembers what was stored of it, so that a crash can keep a part of it. */
final class SavedEventLog implements EventLog {
  private final InMemoryEventLog log;
  private final List<Save> saves = new ArrayList<>();

  private record Save(List<CursorUpdate> cursors, List<Long> consumed, long nowMillis) {}

  SavedEventLog(InMemoryEventLog log) {
    this.log = log;
  }

  /** Number of times that something was stored. */
  int saves() {
    return saves.size();
  }

  /** Stores the first of what another log had stored. */
  void saveAgain(SavedEventLog other, int count) {
    other
        .saves
        .subList(0, count)
        .forEach(each -> save(each.cursors, each.consumed, each.nowMillis));
  }

  @Override
  public long end() {
    return log.end();
  }

  @Override
  public List<LoggedEvent> read(long after, int most, long mostBytes) {
    return log.read(after, most, mostBytes);
  }

  @Override
  public long[] cursors() {
    return log.cursors();
  }

  @Override
  public long before(long epochMillis) {
    return log.before(epochMillis);
  }

  @Override
  public void save(List<CursorUpdate> cursors, List<Long> consumed, long nowMillis) {
    saves.add(new Save(cursors, consumed, nowMillis));
    log.save(cursors, consumed, nowMillis);
  }

  @Override
  public ConsumedEvents consumed(long mark) {
    return log.consumed(mark);
  }
}
