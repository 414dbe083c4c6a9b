package dev.pinion.benchmarks.jmh;

import dev.pinion.core.stage.Lane;
import io.netty.util.internal.PlatformDependent;
import java.util.Queue;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.function.Consumer;
import org.jctools.queues.MessagePassingQueue;
import org.jctools.queues.varhandle.MpscVarHandleArrayQueue;
import org.jctools.queues.varhandle.SpscVarHandleArrayQueue;
import org.jctools.queues.varhandle.unpadded.MpscVarHandleUnpaddedArrayQueue;
import org.jctools.queues.varhandle.unpadded.SpscVarHandleUnpaddedArrayQueue;

/** The engine's lane and alternative queues. */
public enum QueueKind {
  /** The lane as in the engine, counters included. */
  LANE {
    @Override
    Handover create(int capacity) {
      Lane<Object> lane = new Lane<>("benchmark", capacity);
      return new Handover() {
        @Override
        public boolean offer(Object message) {
          return lane.offer(message);
        }

        @Override
        public int drain(Consumer<Object> consumer, int limit) {
          return lane.drain(consumer, limit);
        }
      };
    }
  },
  /** Many writers, one reader, padded against false sharing. */
  MPSC_PADDED {
    @Override
    Handover create(int capacity) {
      return draining(new MpscVarHandleArrayQueue<>(capacity));
    }
  },
  /** Many writers, one reader, indices of both sides side by side in memory. */
  MPSC_UNPADDED {
    @Override
    Handover create(int capacity) {
      return draining(new MpscVarHandleUnpaddedArrayQueue<>(capacity));
    }
  },
  /** One writer, one reader, padded. */
  SPSC_PADDED {
    @Override
    Handover create(int capacity) {
      return draining(new SpscVarHandleArrayQueue<>(capacity));
    }
  },
  /** One writer, one reader, unpadded. */
  SPSC_UNPADDED {
    @Override
    Handover create(int capacity) {
      return draining(new SpscVarHandleUnpaddedArrayQueue<>(capacity));
    }
  },
  /** The bounded queue that Netty ships inside itself. */
  NETTY_MPSC {
    @Override
    Handover create(int capacity) {
      return polling(PlatformDependent.newFixedMpscQueue(capacity));
    }
  },
  /** The queue of growing chunks that Netty's event loops use for tasks. */
  NETTY_MPSC_CHUNKED {
    @Override
    Handover create(int capacity) {
      return polling(PlatformDependent.newMpscQueue(capacity));
    }
  },
  /** The JDK's bounded queue, which locks. */
  JDK_ARRAY_BLOCKING {
    @Override
    Handover create(int capacity) {
      return polling(new ArrayBlockingQueue<>(capacity));
    }
  };

  /**
   * An empty queue.
   *
   * @param capacity its capacity in messages; a power of two
   */
  abstract Handover create(int capacity);

  /** Operations of a benchmark on any queue. */
  interface Handover {
    /** Offers without waiting; returns whether there was space. */
    boolean offer(Object message);

    /** Takes up to a number of messages; returns how many. */
    int drain(Consumer<Object> consumer, int limit);
  }

  private static Handover draining(MessagePassingQueue<Object> queue) {
    return new Handover() {
      @Override
      public boolean offer(Object message) {
        return queue.offer(message);
      }

      @Override
      public int drain(Consumer<Object> consumer, int limit) {
        return queue.drain(consumer::accept, limit);
      }
    };
  }

  private static Handover polling(Queue<Object> queue) {
    return new Handover() {
      @Override
      public boolean offer(Object message) {
        return queue.offer(message);
      }

      @Override
      public int drain(Consumer<Object> consumer, int limit) {
        int taken = 0;
        for (Object next = queue.poll(); next != null; next = queue.poll()) {
          consumer.accept(next);
          if (++taken == limit) {
            break;
          }
        }
        return taken;
      }
    };
  }
}
