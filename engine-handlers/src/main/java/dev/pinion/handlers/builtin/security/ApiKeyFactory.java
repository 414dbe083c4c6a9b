package dev.pinion.handlers.builtin.security;

import dev.pinion.handlers.api.Changes;
import dev.pinion.handlers.api.Declaration;
import dev.pinion.handlers.api.Handler;
import dev.pinion.handlers.api.HandlerFactory;
import dev.pinion.handlers.api.Settings;
import dev.pinion.handlers.api.Slot;
import dev.pinion.handlers.api.Verdict;
import dev.pinion.handlers.api.View;
import dev.pinion.handlers.api.Work;
import dev.pinion.handlers.builtin.FileSnapshot;
import dev.pinion.handlers.builtin.HandlerProblem;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Accepts messages with a known API key, and sets its subject in {@code auth.subject}. The file
 * holds only hashes of keys; the key itself is removed from the message.
 */
public final class ApiKeyFactory implements HandlerFactory {
  private static final int MAX_FILE_BYTES = 1 << 20;

  /** For the service loader. */
  public ApiKeyFactory() {}

  @Override
  public String name() {
    return "api-key";
  }

  @Override
  public String summary() {
    return "Lets messages through that carry an API key whose hash is in a file.";
  }

  @Override
  public Handler create(Settings settings) {
    String header = settings.text("header", "x-api-key").toLowerCase(Locale.ROOT);
    return new ApiKey(
        "header." + header, FileSnapshot.opened(settings, MAX_FILE_BYTES, ApiKeys::parse));
  }

  private record ApiKey(String header, FileSnapshot<ApiKeys> keys) implements Handler {
    @Override
    public Declaration declaration() {
      return Declaration.NOTHING
          .reading(Slot.property(header))
          .writing(Slot.property(header), Slot.property("auth.subject"))
          .stopping()
          .mandatory()
          .with(Work.CPU);
    }

    @Override
    public Verdict handle(View message) {
      String key = message.property(header);
      String subject = key == null ? null : keys.content().subject(key);
      if (subject == null) {
        return refusal(key);
      }
      return Verdict.goOn(Changes.NONE.withoutProperty(header).property("auth.subject", subject));
    }

    private Verdict refusal(@Nullable String key) {
      String name = header.substring("header.".length());
      String found = key == null ? "none" : "an unknown one";
      return HandlerProblem.UNAUTHENTICATED.refuse(
          "expected a known API key in the field " + name + ", found " + found,
          "www-authenticate",
          "ApiKey header=\"" + name + "\"");
    }

    @Override
    public void close() {
      keys.close();
    }
  }
}
