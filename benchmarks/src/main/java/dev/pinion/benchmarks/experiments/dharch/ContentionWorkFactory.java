package dev.pinion.benchmarks.experiments.dharch;

import dev.pinion.handlers.api.Changes;
import dev.pinion.handlers.api.Settings;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * Updates one of few states as optimistic transactions do: reads it, computes the next one from it
 * and {@code size} bytes of the message, and starts again when another message was faster. The more
 * messages are under way, the more work is wasted, which creates a break-even point.
 */
public final class ContentionWorkFactory extends WorkFactory {
  /** Its name in chains. */
  static final String NAME = "bench-contend";

  private static final int STATES = 4;

  /** For the service loader. */
  public ContentionWorkFactory() {
    super(NAME, "Updates a state that messages of the experiments compete for.");
  }

  @Override
  BodyWork work(Settings settings) {
    return new ContendedUpdate(settings.integer("size", 1_024, 1, MAX_SIZE));
  }

  private final class ContendedUpdate implements BodyWork {
    private final AtomicReferenceArray<byte[]> states = new AtomicReferenceArray<>(STATES);
    private final AtomicInteger turn = new AtomicInteger();
    private final int size;

    ContendedUpdate(int size) {
      this.size = size;
      for (int i = 0; i < STATES; i++) {
        states.set(i, new byte[1]);
      }
    }

    @Override
    public Changes of(byte[] body) throws NoSuchAlgorithmException {
      int state = Math.floorMod(turn.getAndIncrement(), STATES);
      int attempts = 0;
      byte[] before;
      byte[] after;
      do {
        before = states.get(state);
        after = next(before, body);
        attempts++;
      } while (!states.compareAndSet(state, before, after));
      return result(attempts > 1 ? "contended" : "at once");
    }

    private byte[] next(byte[] before, byte[] body) throws NoSuchAlgorithmException {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      digest.update(before);
      for (int done = 0; done < size && body.length > 0; ) {
        int length = Math.min(body.length, size - done);
        digest.update(body, 0, length);
        done += length;
      }
      return digest.digest();
    }
  }
}
