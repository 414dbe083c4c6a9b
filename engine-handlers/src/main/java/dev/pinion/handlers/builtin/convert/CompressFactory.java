package dev.pinion.handlers.builtin.convert;

import dev.pinion.core.codec.ContentCoding;
import dev.pinion.handlers.api.Body;
import dev.pinion.handlers.api.Changes;
import dev.pinion.handlers.api.Declaration;
import dev.pinion.handlers.api.Handler;
import dev.pinion.handlers.api.HandlerFactory;
import dev.pinion.handlers.api.Peer;
import dev.pinion.handlers.api.Settings;
import dev.pinion.handlers.api.Slot;
import dev.pinion.handlers.api.Verdict;
import dev.pinion.handlers.api.View;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Compresses bodies; {@link DecompressFactory} is the other side of the pair. */
public final class CompressFactory implements HandlerFactory {
  /** For the service loader. */
  public CompressFactory() {}

  @Override
  public String name() {
    return "compress";
  }

  @Override
  public String summary() {
    return "Compresses bodies with gzip or deflate, as the receiver accepts it.";
  }

  @Override
  public Handler create(Settings settings) {
    String accept = settings.text("accept", "");
    if (accept.contains("*")) {
      settings.problem("accept", "expected the name of a property, found \"" + accept + "\"");
    }
    return new Compress(
        codings(settings),
        accept.contains("*") ? "" : accept,
        settings.integer("level", 6, 1, 9),
        settings.integer("minBytes", 1_024, 0, 1 << 30));
  }

  private static List<ContentCoding> codings(Settings settings) {
    if (!settings.has("codings")) {
      return List.of(ContentCoding.GZIP, ContentCoding.DEFLATE);
    }
    List<ContentCoding> codings = new ArrayList<>();
    for (String name : settings.texts("codings")) {
      ContentCoding contentCoding = ContentCoding.named(name);
      if (contentCoding == null) {
        settings.problem("codings", "expected gzip or deflate, found \"" + name + "\"");
      } else {
        codings.add(contentCoding);
      }
    }
    if (codings.isEmpty()) {
      settings.problem("codings", "expected at least one of gzip and deflate, found none");
      codings.add(ContentCoding.GZIP);
    }
    return codings;
  }

  private record Compress(List<ContentCoding> codings, String accept, int level, int minBytes)
      implements Handler {
    private static final String VARY = "header.vary";
    private static final String CACHE_CONTROL = "header.cache-control";

    @Override
    public Declaration declaration() {
      Declaration base =
          ContentCodingFields.declaration(Peer.Role.DOES)
              .reading(Slot.property(CACHE_CONTROL), Slot.property(VARY))
              .writing(Slot.property(VARY));
      return accept.isEmpty() ? base : base.reading(Slot.property(accept));
    }

    @Override
    public Verdict handle(View message) {
      Changes varied = varied(message);
      ContentCoding contentCoding =
          accept.isEmpty()
              ? codings.getFirst()
              : AcceptEncoding.best(message.property(accept, ""), codings);
      return Verdict.goOn(
          contentCoding == null ? varied : compressed(message, contentCoding, varied));
    }

    private Changes compressed(View message, ContentCoding contentCoding, Changes changes) {
      Body body = message.body();
      if (body.size() < minBytes
          || !message.property(ContentCodingFields.CODING, "").isBlank()
          || forbidden(message.property(CACHE_CONTROL))) {
        return changes;
      }
      byte[] plain = message.bytes();
      byte[] coded = contentCoding.encode(plain, level);
      if (coded.length >= plain.length) {
        return changes;
      }
      return ContentCodingFields.changed(message, changes.body(Body.of(coded, body.mediaType())))
          .property(ContentCodingFields.CODING, contentCoding.token());
    }

    /** Adds {@code Vary}: caches must know that the answer depends on the accepted codings. */
    private Changes varied(View message) {
      String vary = message.property(VARY, "");
      if (accept.isEmpty() || vary.toLowerCase(Locale.ROOT).matches(".*(accept-encoding|\\*).*")) {
        return Changes.NONE;
      }
      return Changes.NONE.property(
          VARY, vary.isBlank() ? "accept-encoding" : vary + ", accept-encoding");
    }

    private static boolean forbidden(@Nullable String cacheControl) {
      return cacheControl != null && cacheControl.toLowerCase(Locale.ROOT).contains("no-transform");
    }
  }
}
