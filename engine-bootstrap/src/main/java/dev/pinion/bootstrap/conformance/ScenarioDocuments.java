package dev.pinion.bootstrap.conformance;

import dev.pinion.core.invoker.http.ClientTls;
import dev.pinion.core.language.reference.DocumentSource;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.model.Clock;
import dev.pinion.core.resource.AllowedDocuments;
import dev.pinion.core.resource.DocumentFetcher;
import java.io.IOException;

/**
 * The documents to which the definitions of an engine refer: those that the services of its present
 * scenario serve. For any thread.
 */
final class ScenarioDocuments {
  private final EngineLimits limits;
  private final Clock clock;
  private final ClientTls tls;
  private volatile AllowedDocuments allowed = AllowedDocuments.NONE;

  ScenarioDocuments(EngineLimits limits, Clock clock) throws IOException {
    this.limits = limits;
    this.clock = clock;
    this.tls = ClientTls.load(null);
  }

  /** Allows the documents below a URL, and no others. */
  void allow(String url) {
    allowed = AllowedDocuments.parse(url);
  }

  /** A source of the documents of one definition. */
  DocumentSource open() {
    return new DocumentFetcher(limits, allowed, tls, clock).open();
  }
}
