package dev.pinion.bootstrap.serve;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Looks more often than by default whether something has come: most of it comes sooner. */
public final class FrequentPolling implements BeforeAllCallback {
  private static final Duration INTERVAL = Duration.ofMillis(20);

  @Override
  public void beforeAll(ExtensionContext context) {
    Awaitility.setDefaultPollInterval(INTERVAL);
  }
}
