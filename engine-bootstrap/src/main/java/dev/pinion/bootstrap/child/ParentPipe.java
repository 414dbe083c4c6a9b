package dev.pinion.bootstrap.child;

import dev.pinion.bootstrap.protocol.ReplicaProtocol;
import dev.pinion.bootstrap.settings.EffectiveSettings;
import dev.pinion.bootstrap.settings.SettingLines;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Connection of a child process to its parent: settings, then orders from it, and lines to it.
 *
 * <p>The end of the orders means that the parent has ended. Lines may be sent by any thread.
 */
public final class ParentPipe {
  private static final Logger LOG = LoggerFactory.getLogger(ParentPipe.class);

  private final BufferedReader in;
  private final PrintStream out;
  private final Runnable onParentGone;
  private final DrainOrder drain = new DrainOrder();

  /**
   * A connection.
   *
   * @param in messages of the parent
   * @param out messages to the parent; nothing else may write to it
   * @param onParentGone run when the parent has ended
   */
  public ParentPipe(InputStream in, PrintStream out, Runnable onParentGone) {
    this.in = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8));
    this.out = out;
    this.onParentGone = onParentGone;
  }

  /**
   * Reads the settings, with which the parent begins.
   *
   * @return null when the parent has ended before
   * @throws IOException when it sends anything else
   */
  public @Nullable EffectiveSettings settings() throws IOException {
    return SettingLines.read(in);
  }

  /**
   * Follows orders on a daemon thread, after {@link #settings}.
   *
   * @param orders handles all orders but the one to drain; false for an unknown one
   */
  public void follow(Predicate<String> orders) {
    Thread.ofPlatform().daemon().name("parent-watch").start(() -> listen(orders));
  }

  private void listen(Predicate<String> orders) {
    try {
      String line = in.readLine();
      while (line != null) {
        if (line.equals(ReplicaProtocol.DRAIN)) {
          drain.give();
        } else if (!orders.test(line)) {
          LOG.debug("the parent sent a line that is not understood: {}", line);
        }
        line = in.readLine();
      }
    } catch (IOException e) {
      // A broken pipe means the same as its end.
    } finally {
      onParentGone.run(); // also when it sends an invalid line
    }
  }

  /** The order to drain. */
  public DrainOrder drain() {
    return drain;
  }

  /** Sends a line. */
  public void send(String line) {
    out.println(line);
    out.flush();
  }
}
