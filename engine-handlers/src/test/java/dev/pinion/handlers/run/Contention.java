package dev.pinion.handlers.run;

import dev.pinion.handlers.api.Declaration;
import dev.pinion.handlers.api.Handler;
import dev.pinion.handlers.api.Slot;
import dev.pinion.handlers.api.Verdict;
import dev.pinion.handlers.api.View;
import java.security.MessageDigest;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * A handler that does real work and does less of it the more messages are under way: it computes
 * the next one of four states from the last one, and begins again when another message was faster.
 * Records by how much messages, numbered in the property {@code n}, start out of order.
 */
final class Contention implements Handler {
  private static final int STATES = 4;
  private static final int BLOCK = 4_096;

  private final AtomicReferenceArray<byte[]> states = new AtomicReferenceArray<>(STATES);
  private final byte[] block = new byte[BLOCK];
  private final int blocks;
  private final AtomicLong started = new AtomicLong();
  private final AtomicLong farthest = new AtomicLong();
  private final AtomicLong ahead = new AtomicLong();

  /** A handler that hashes a number of blocks of 4 KiB into each state. */
  Contention(int blocks) {
    this.blocks = blocks;
    for (int i = 0; i < STATES; i++) {
      states.set(i, new byte[1]);
    }
  }

  @Override
  public Declaration declaration() {
    return Declaration.NOTHING.reading(Slot.property("n")).mandatory();
  }

  @Override
  public Verdict handle(View message) throws Exception {
    long number = Long.parseLong(message.property("n", ""));
    long rank = started.getAndIncrement();
    farthest.accumulateAndGet(Math.abs(number - rank), Math::max);
    ahead.accumulateAndGet(number - rank, Math::max);
    int state = (int) (number % STATES);
    byte[] before;
    byte[] after;
    do {
      before = states.get(state);
      after = next(before);
    } while (!states.compareAndSet(state, before, after));
    return Verdict.UNCHANGED;
  }

  private byte[] next(byte[] before) throws Exception {
    MessageDigest digest = MessageDigest.getInstance("SHA-256");
    digest.update(before);
    for (int i = 0; i < blocks; i++) {
      digest.update(block);
    }
    return digest.digest();
  }

  /** Greatest distance of a message from its place in the order of arrival. */
  long farthest() {
    return farthest.get();
  }

  /**
   * Most earlier messages that a message has overtaken. A message that starts in order overtakes
   * only those whose workers were interrupted before they came here: one less than there are at
   * work.
   */
  long ahead() {
    return ahead.get();
  }
}
