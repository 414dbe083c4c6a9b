package dev.pinion.handlers.builtin.security;

import com.nimbusds.jose.JOSEException;
import dev.pinion.core.codec.PayloadSyntaxException;
import dev.pinion.core.model.Payload;
import dev.pinion.handlers.api.Changes;
import dev.pinion.handlers.api.Declaration;
import dev.pinion.handlers.api.Handler;
import dev.pinion.handlers.api.HandlerFactory;
import dev.pinion.handlers.api.Peer;
import dev.pinion.handlers.api.Settings;
import dev.pinion.handlers.api.Verdict;
import dev.pinion.handlers.api.View;
import dev.pinion.handlers.builtin.HandlerProblem;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Encrypts a field of the body with AES-GCM; {@link DecryptFactory} is the other side of the pair.
 */
public final class EncryptFactory implements HandlerFactory {
  /**
   * A 32nd of the uses that one key allows, since other processes and runs may have the same key.
   */
  private static final int DEFAULT_MESSAGES = 1 << 27;

  private final UnaryOperator<@Nullable String> environment;

  /** For the service loader. */
  public EncryptFactory() {
    this(System::getenv);
  }

  EncryptFactory(UnaryOperator<@Nullable String> environment) {
    this.environment = environment;
  }

  @Override
  public String name() {
    return "encrypt";
  }

  @Override
  public String summary() {
    return "Encrypts a field of the body with AES-GCM, as JSON Web Encryption.";
  }

  @Override
  public Handler create(Settings settings) {
    int most = settings.integer("maxMessagesPerKey", DEFAULT_MESSAGES, 1, Integer.MAX_VALUE);
    return new Encrypt(FieldCipher.of(settings, environment), new KeyUsageCounter(most));
  }

  private record Encrypt(FieldCipher cipher, KeyUsageCounter uses) implements Handler {
    @Override
    public Declaration declaration() {
      return cipher.declaration(Peer.Role.DOES);
    }

    @Override
    public Verdict handle(View message) throws PayloadSyntaxException, JOSEException {
      String pointer = cipher.slot().pointer();
      Payload plain = message.json(pointer);
      if (plain == null) {
        return Verdict.UNCHANGED;
      }
      KeyRing keys = cipher.keys().ring();
      if (!uses.use(keys.active())) {
        return HandlerProblem.KEY_EXHAUSTED.refuse(
            "expected an active key with messages left, found \""
                + keys.active()
                + "\" used up; put a new key into force");
      }
      byte[] bytes = FieldCipher.CODEC.toExactBytes(plain);
      String sealed = cipher.binding(message).seal(bytes, keys.active(), keys.activeKey());
      return Verdict.goOn(Changes.NONE.json(pointer, Payload.of(sealed)));
    }

    @Override
    public void close() {
      cipher.keys().close();
    }
  }
}
