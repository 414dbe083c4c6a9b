package dev.pinion.core.kernel.replay;

import dev.pinion.core.journal.InMemoryJournal;
import dev.pinion.core.journal.Journal;
import dev.pinion.core.journal.JournalRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** A journal that stores each moment at which the engine could end: around each record. */
final class CrashPoints implements Journal {
  private static final int MOST_RECORDS = 10_000;

  private final InMemoryJournal records = new InMemoryJournal(MOST_RECORDS);
  private final List<Moment> moments = new ArrayList<>();
  private final Supplier<Moment> now;

  /**
   * A moment.
   *
   * @param appended records until then
   * @param durable number of them that survive a loss of power
   * @param deliveries requests that services had received
   * @param saves times that the log of events was told how far the kernel had come
   * @param told whether the client had received the end
   * @param withdrawn whether the schedule of the process was withdrawn
   */
  record Moment(
      int appended,
      int durable,
      int deliveries,
      int saves,
      boolean told,
      boolean withdrawn,
      long nowNanos) {
    /** The same some time later. */
    Moment plus(long nanos) {
      return new Moment(appended, durable, deliveries, saves, told, withdrawn, nowNanos + nanos);
    }
  }

  /**
   * A journal.
   *
   * @param now supplier of the present moment, without the journal's part
   */
  CrashPoints(Supplier<Moment> now) {
    this.now = now;
  }

  @Override
  public long append(JournalRecord record) {
    note();
    long count = records.append(record);
    note();
    return count;
  }

  /** Stores the present moment. */
  void note() {
    Moment moment = now.get();
    moments.add(
        new Moment(
            (int) appended(),
            (int) durable(),
            moment.deliveries,
            moment.saves,
            moment.told,
            moment.withdrawn,
            moment.nowNanos));
  }

  @Override
  public long appended() {
    return records.appended();
  }

  @Override
  public long durable() {
    return records.durable();
  }

  @Override
  public long readBarrier() {
    return records.readBarrier();
  }

  void waitForForce() {
    records.waitForForce();
  }

  void force() {
    records.force();
  }

  boolean isForced() {
    return durable() == appended();
  }

  List<JournalRecord> records() {
    return records.records();
  }

  List<Moment> moments() {
    return moments;
  }
}
