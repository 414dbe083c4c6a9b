package dev.pinion.core.language.call;

import dev.pinion.core.document.DocumentValue;
import dev.pinion.core.document.ValueDescription;
import dev.pinion.core.language.field.Diagnostics;
import dev.pinion.core.language.field.KnownNames;
import dev.pinion.core.model.SpellingSuggestion;
import dev.pinion.core.protobuf.MessageShape;
import dev.pinion.core.protobuf.MessageShape.FieldShape;
import java.util.List;

/** Finds members of objects in a definition that a message has no fields for. */
final class MessageFieldCheck {
  private final Diagnostics diagnostics;

  MessageFieldCheck(Diagnostics diagnostics) {
    this.diagnostics = diagnostics;
  }

  /** Reports members that are no fields, of an object and of what is in it. */
  void check(DocumentValue object, MessageShape message) {
    for (DocumentValue member : object.members()) {
      FieldShape field = message.field(member.name());
      if (field == null) {
        report(member, message);
      } else {
        checkField(member, field);
      }
    }
  }

  private void checkField(DocumentValue value, FieldShape field) {
    MessageShape message = field.message();
    if (message == null) {
      return;
    }
    if (field.isMap()) {
      value.members().forEach(each -> checkObject(each, message));
    } else if (field.isRepeated()) {
      value.items().forEach(each -> checkObject(each, message));
    } else {
      checkObject(value, message);
    }
  }

  private void checkObject(DocumentValue value, MessageShape message) {
    if (value.isObject()) {
      check(value, message);
    }
  }

  private void report(DocumentValue member, MessageShape message) {
    List<String> fields = message.fields();
    diagnostics.at(
        member.keyOffset(),
        member.pointer(),
        "expected a field of "
            + message.name()
            + " ("
            + KnownNames.listed(fields)
            + "), found \""
            + ValueDescription.shorten(member.name())
            + '"',
        () -> SpellingSuggestion.of(member.name(), fields));
  }
}
