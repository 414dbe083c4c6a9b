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
import java.text.ParseException;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Decrypts a field of the body encrypted by {@link EncryptFactory}. */
public final class DecryptFactory implements HandlerFactory {
  private final UnaryOperator<@Nullable String> environment;

  /** For the service loader. */
  public DecryptFactory() {
    this(System::getenv);
  }

  DecryptFactory(UnaryOperator<@Nullable String> environment) {
    this.environment = environment;
  }

  @Override
  public String name() {
    return "decrypt";
  }

  @Override
  public String summary() {
    return "Decrypts a field of the body that was encrypted with AES-GCM.";
  }

  @Override
  public Handler create(Settings settings) {
    boolean required = settings.flag("required", true);
    return new Decrypt(FieldCipher.of(settings, environment), required);
  }

  private record Decrypt(FieldCipher cipher, boolean required) implements Handler {
    private static final Logger LOG = LoggerFactory.getLogger(DecryptFactory.class);

    @Override
    public Declaration declaration() {
      return cipher.declaration(Peer.Role.TAKES_BACK);
    }

    @Override
    public Verdict handle(View message) throws PayloadSyntaxException {
      String pointer = cipher.slot().pointer();
      Payload sealed = message.json(pointer);
      if (sealed == null) {
        return required ? refusal("none") : Verdict.UNCHANGED;
      }
      if (!sealed.json().isTextual()) {
        return refusal("another value");
      }
      try {
        byte[] plain =
            cipher.binding(message).open(sealed.json().textValue(), cipher.keys().ring());
        Payload value = FieldCipher.CODEC.read(plain, 0, plain.length);
        return Verdict.goOn(Changes.NONE.json(pointer, value));
      } catch (JOSEException | ParseException | PayloadSyntaxException e) {
        // The exact reason would help an attacker.
        LOG.debug("the field of the message {} is refused", message.id(), e);
        return refusal("one that does not fit");
      }
    }

    private Verdict refusal(String found) {
      return HandlerProblem.UNDECIPHERABLE.refuse(
          "expected an encrypted value at \""
              + cipher.slot().pointer()
              + "\" of the body, found "
              + found);
    }

    @Override
    public void close() {
      cipher.keys().close();
    }
  }
}
