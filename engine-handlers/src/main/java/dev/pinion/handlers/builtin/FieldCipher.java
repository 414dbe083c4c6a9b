package dev.pinion.handlers.builtin;

import dev.pinion.core.model.EngineLimits;
import dev.pinion.core.model.PayloadCodec;
import dev.pinion.handlers.api.Declaration;
import dev.pinion.handlers.api.Peer;
import dev.pinion.handlers.api.Settings;
import dev.pinion.handlers.api.Slot;
import dev.pinion.handlers.api.View;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * What both sides of an encrypted field have in common.
 *
 * @param slot the field
 * @param bindMessage whether it can be decrypted in the message only in which it was encrypted
 * @param keys the keys
 */
record FieldCipher(Slot.Json slot, boolean bindMessage, KeySource keys) {
  static final PayloadCodec CODEC = new PayloadCodec(EngineLimits.defaults().json());

  static FieldCipher of(Settings settings, UnaryOperator<@Nullable String> environment) {
    return new FieldCipher(
        Pointers.slot(settings, "pointer"),
        settings.flag("bindMessage", false),
        KeySource.opened(settings, environment));
  }

  /** What either side reads and writes, as one of the pair. */
  Declaration declaration(Peer.Role role) {
    return Declaration.NOTHING
        .reading(slot)
        .writing(slot)
        .stopping()
        .mandatory()
        .with(new Peer("aes-gcm", role));
  }

  /** What the field of a message is bound to. */
  SealedField binding(View message) {
    return new SealedField(slot.pointer(), bindMessage ? message.id().toString() : null);
  }
}
