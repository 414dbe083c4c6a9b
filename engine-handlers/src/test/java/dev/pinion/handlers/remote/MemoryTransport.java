package dev.pinion.handlers.remote;

import dev.pinion.handlers.remote.protocol.Frame;
import dev.pinion.handlers.remote.protocol.FrameCodec;
import dev.pinion.handlers.remote.protocol.MalformedFrameException;
import dev.pinion.handlers.remote.transport.FrameTransport;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A network in memory that a test drives: frames wait until {@link #deliver}, in order, and the
 * test has them lost, doubled or shuffled.
 */
final class MemoryTransport implements FrameTransport {
  private final FrameCodec codec;
  private final Random random;
  private final List<Listener> listeners = new ArrayList<>();
  private final Deque<Sent> waiting = new ArrayDeque<>();
  private Predicate<Frame> loses = frame -> false;
  double lossRate;
  double doubleRate;
  boolean connected = true;
  int maxBytes = 1 << 20;

  MemoryTransport(FrameCodec codec, long seed) {
    this.codec = codec;
    this.random = new Random(seed);
  }

  /** From now on such frames are lost. */
  void losing(Predicate<Frame> frames) {
    loses = frames;
  }

  @Override
  public synchronized boolean send(String subject, byte[] frame) {
    if (!connected) {
      return false;
    }
    if (loses.test(read(frame)) || random.nextDouble() < lossRate) {
      return true;
    }
    waiting.add(new Sent(subject, frame));
    if (random.nextDouble() < doubleRate) {
      waiting.add(new Sent(subject, frame));
    }
    return true;
  }

  private Frame read(byte[] bytes) {
    try {
      return codec.read(bytes);
    } catch (MalformedFrameException e) {
      return new Frame.Heartbeat(Frame.NOBODY, false);
    }
  }

  /** Delivers the waiting frames, and those sent meanwhile; returns their number. */
  int deliver() {
    int count = 0;
    for (Sent next = next(); next != null; next = next()) {
      count++;
      for (Listener each : receivers(next.subject)) {
        each.receiver.received(next.bytes());
      }
    }
    return count;
  }

  private synchronized @Nullable Sent next() {
    return waiting.poll();
  }

  private synchronized List<Listener> receivers(String subject) {
    List<Listener> all = new ArrayList<>();
    List<Listener> group = new ArrayList<>();
    for (Listener each : listeners) {
      if (each.subject.equals(subject)) {
        (each.group.isEmpty() ? all : group).add(each);
      }
    }
    if (!group.isEmpty()) {
      all.add(group.get(random.nextInt(group.size())));
    }
    return all;
  }

  @Override
  public synchronized Subscription subscribe(
      String subject, String group, FrameReceiver frameReceiver) {
    Listener listener = new Listener(subject, group, frameReceiver);
    listeners.add(listener);
    return () -> end(listener);
  }

  private synchronized void end(Listener listener) {
    listeners.remove(listener);
  }

  /** Silently cuts off listeners in a range of their order: they were killed. */
  synchronized void kill(int from, int to) {
    List<Listener> dead = List.copyOf(listeners.subList(from, to));
    listeners.removeAll(dead);
  }

  synchronized int listeners() {
    return listeners.size();
  }

  @Override
  public boolean isConnected() {
    return connected;
  }

  @Override
  public int maxBytes() {
    return maxBytes;
  }

  @Override
  public void close() {}

  private record Listener(String subject, String group, FrameReceiver receiver) {}

  private static final class Sent {
    private final String subject;
    private final byte[] bytes;

    Sent(String subject, byte[] bytes) {
      this.subject = subject;
      this.bytes = bytes;
    }

    byte[] bytes() {
      return bytes.clone();
    }
  }
}
