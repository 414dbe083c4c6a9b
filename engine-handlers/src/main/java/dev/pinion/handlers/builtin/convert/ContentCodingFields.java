package dev.pinion.handlers.builtin.convert;

import dev.pinion.handlers.api.Changes;
import dev.pinion.handlers.api.Declaration;
import dev.pinion.handlers.api.Peer;
import dev.pinion.handlers.api.Slot;
import dev.pinion.handlers.api.View;
import org.jspecify.annotations.Nullable;

/** Header fields about the coding of a body, and those that become invalid when it changes. */
final class ContentCodingFields {
  static final String CODING = "header.content-encoding";

  private static final String LENGTH = "header.content-length";
  private static final String DIGEST = "header.content-digest";
  private static final String TAG = "header.etag";

  private ContentCodingFields() {}

  /** Slots that both sides of a compression read and write. */
  static Declaration declaration(Peer.Role role) {
    return Declaration.NOTHING
        .reading(Slot.bytes(), Slot.property(CODING), Slot.property(TAG))
        .writing(
            Slot.bytes(),
            Slot.property(CODING),
            Slot.property(LENGTH),
            Slot.property(DIGEST),
            Slot.property(TAG))
        .mandatory()
        .with(new Peer("compression", role));
  }

  /** Changes, with those of dependent fields: a strong entity tag becomes a weak one. */
  static Changes changed(View message, Changes changes) {
    Changes all = changes.withoutProperty(LENGTH).withoutProperty(DIGEST);
    @Nullable String tag = message.property(TAG);
    return tag != null && tag.startsWith("\"") ? all.property(TAG, "W/" + tag) : all;
  }
}
