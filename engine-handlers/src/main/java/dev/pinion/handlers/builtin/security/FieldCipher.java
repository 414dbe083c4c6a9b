package dev.pinion.handlers.builtin.security;

import dev.pinion.core.codec.PayloadCodec;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.handlers.api.Declaration;
import dev.pinion.handlers.api.Peer;
import dev.pinion.handlers.api.Settings;
import dev.pinion.handlers.api.Slot;
import dev.pinion.handlers.api.View;
import dev.pinion.handlers.builtin.PointerSetting;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Common settings of both sides of an encrypted field.
 *
 * @param slot the field
 * @param bindMessage whether it can be decrypted only in the message in which it was encrypted
 * @param keys the keys
 */
public record FieldCipher(Slot.Json slot, boolean bindMessage, KeySource keys) {
  public static final PayloadCodec CODEC = new PayloadCodec(EngineLimits.defaults().json());

  static FieldCipher of(Settings settings, UnaryOperator<@Nullable String> environment) {
    return new FieldCipher(
        PointerSetting.slot(settings, "pointer"),
        settings.flag("bindMessage", false),
        KeySource.opened(settings, environment));
  }

  /** Slots of either side, as one of the pair. */
  Declaration declaration(Peer.Role role) {
    return Declaration.NOTHING
        .reading(slot)
        .writing(slot)
        .stopping()
        .mandatory()
        .with(new Peer("aes-gcm", role));
  }

  /** The data that a message's field is bound to. */
  SealedField binding(View message) {
    return new SealedField(slot.pointer(), bindMessage ? message.id().toString() : null);
  }
}
