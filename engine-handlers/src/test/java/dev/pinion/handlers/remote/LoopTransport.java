package dev.pinion.handlers.remote;

import dev.pinion.handlers.remote.transport.FrameTransport;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/** Frames within this process, passed on by one thread: a network without losses. */
public final class LoopTransport implements FrameTransport {
  private final List<Listener> listeners = new CopyOnWriteArrayList<>();
  private final AtomicInteger turn = new AtomicInteger();
  private final ExecutorService thread =
      Executors.newSingleThreadExecutor(Thread.ofPlatform().daemon().name("loop").factory());

  @Override
  public boolean send(String subject, byte[] frame) {
    thread.execute(() -> deliver(subject, frame.clone()));
    return true;
  }

  private void deliver(String subject, byte[] frame) {
    List<Listener> group = new ArrayList<>();
    for (Listener each : listeners) {
      if (each.subject.equals(subject)) {
        if (each.group.isEmpty()) {
          each.receiver.received(frame);
        } else {
          group.add(each);
        }
      }
    }
    if (!group.isEmpty()) {
      group.get(turn.getAndIncrement() % group.size()).receiver.received(frame);
    }
  }

  @Override
  public Subscription subscribe(String subject, String group, FrameReceiver frameReceiver) {
    Listener listener = new Listener(subject, group, frameReceiver);
    listeners.add(listener);
    return () -> listeners.remove(listener);
  }

  @Override
  public boolean isConnected() {
    return true;
  }

  @Override
  public int maxBytes() {
    return 1 << 20;
  }

  @Override
  public void close() {
    thread.shutdownNow();
  }

  private record Listener(String subject, String group, FrameReceiver receiver) {}
}
