package dev.pinion.core.language.call;

import dev.pinion.core.document.DocumentValue;
import dev.pinion.core.document.ValueDescription;
import dev.pinion.core.language.field.Diagnostics;
import dev.pinion.core.language.field.FieldReader;
import dev.pinion.core.language.field.KnownNames;
import dev.pinion.core.model.SpellingSuggestion;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Finds the channel or the operation that a task names.
 *
 * <p>A document describes an application from its own point of view in generation 3 ({@code send},
 * {@code receive}), and from that of the others in generation 2 ({@code publish}, {@code
 * subscribe}).
 */
final class AsyncApiTargets {
  private final AsyncApiDocument document;
  private final Diagnostics diagnostics;
  private final boolean publishes;

  /**
   * A search for one task.
   *
   * @param diagnostics reports about the definition
   * @param publishes whether the task sends a message, rather than receive some
   */
  AsyncApiTargets(AsyncApiDocument document, Diagnostics diagnostics, boolean publishes) {
    this.document = document;
    this.diagnostics = diagnostics;
    this.publishes = publishes;
  }

  /** The target that the arguments name, or null when there is none: reported. */
  @Nullable AsyncApiTarget find(FieldReader arguments) {
    DocumentValue channel = arguments.text("channel");
    DocumentValue operation = arguments.text("operation");
    if (arguments.has("channel") && arguments.has("operation")) {
      diagnostics.key(
          arguments.getPresent("operation"),
          "expected either \"channel\" or \"operation\", found both");
      return null;
    }
    if (channel != null) {
      return document.isSecond() ? ofChannel(channel) : ofNamedChannel(channel);
    }
    if (operation != null) {
      return document.isSecond() ? ofOperationId(operation) : ofOperation(operation);
    }
    String key = document.isSecond() ? "channel" : "operation";
    boolean told = arguments.has("channel") || arguments.has("operation");
    if (!told && !arguments.isMisspelt("channel") && !arguments.isMisspelt("operation")) {
      diagnostics.key(
          arguments.owner(),
          "expected \""
              + key
              + "\" in the arguments of an AsyncAPI call of a document of version "
              + (document.isSecond() ? "2" : "3")
              + ", found none");
    }
    return null;
  }

  private String action() {
    return publishes ? "publish" : "subscribe";
  }

  /** A channel of generation 2, whose name is its address. */
  private @Nullable AsyncApiTarget ofChannel(DocumentValue name) {
    Map<String, DocumentValue> channels = document.section("channels");
    DocumentValue channel = found(name, "a channel of the document", channels);
    if (channel == null) {
      return null;
    }
    DocumentValue operation = document.member(channel, action());
    if (operation == null) {
      diagnostics.value(
          name,
          "expected a channel with the operation \""
              + action()
              + "\", by which others "
              + (publishes ? "send messages to it" : "receive messages from it")
              + ", found "
              + ValueDescription.describe(name.json())
              + " without it");
      return null;
    }
    return new AsyncApiTarget(
        channel, operation, name.text(), messages(document.member(operation, "message")));
  }

  /** An operation of generation 2 by its id. */
  private @Nullable AsyncApiTarget ofOperationId(DocumentValue id) {
    List<String> known = new ArrayList<>();
    for (Map.Entry<String, DocumentValue> each : document.section("channels").entrySet()) {
      DocumentValue channel = document.resolved(each.getValue());
      DocumentValue operation = document.member(channel, action());
      String name = document.text(operation, "operationId");
      if (channel != null && operation != null && id.text().equals(name)) {
        return new AsyncApiTarget(
            channel, operation, each.getKey(), messages(document.member(operation, "message")));
      }
      if (name != null) {
        known.add(name);
      }
    }
    unknown(id, "the operationId of a \"" + action() + "\" of the document", known);
    return null;
  }

  /** An operation of generation 3. */
  private @Nullable AsyncApiTarget ofOperation(DocumentValue name) {
    DocumentValue operation =
        found(name, "an operation of the document", document.section("operations"));
    DocumentValue channel = document.member(operation, "channel");
    if (operation == null) {
      return null;
    }
    if (channel == null) {
      if (!AsyncApiDocument.members(operation).containsKey("channel")) {
        document.diagnostics().value(operation, "expected \"channel\" in an operation, found none");
      }
      return null;
    }
    checkAction(name, document.text(operation, "action"));
    List<DocumentValue> messages = document.items(document.member(operation, "messages"));
    return ofThird(channel, operation, messages.isEmpty() ? allOf(channel) : messages);
  }

  /** Documents are often written from the caller's point of view: a warning is enough. */
  private void checkAction(DocumentValue name, @Nullable String action) {
    String expected = publishes ? "receive" : "send";
    if (action != null && !action.equals(expected)) {
      diagnostics.warn(
          name,
          "expected an operation with the action \""
              + expected
              + "\", since a document tells what the other application does, found \""
              + ValueDescription.shorten(action)
              + "\"",
          () -> null);
    }
  }

  /** A channel of generation 3, without an operation. */
  private @Nullable AsyncApiTarget ofNamedChannel(DocumentValue name) {
    DocumentValue channel = found(name, "a channel of the document", document.section("channels"));
    return channel == null ? null : ofThird(channel, null, allOf(channel));
  }

  private @Nullable AsyncApiTarget ofThird(
      DocumentValue channel, @Nullable DocumentValue operation, List<DocumentValue> messages) {
    String address = document.text(channel, "address");
    if (address == null) {
      document
          .diagnostics()
          .value(channel, "expected an \"address\" in a channel that is called, found none");
      return null;
    }
    return new AsyncApiTarget(channel, operation, address, messages);
  }

  private List<DocumentValue> allOf(DocumentValue channel) {
    List<DocumentValue> messages = new ArrayList<>();
    DocumentValue all = document.member(channel, "messages");
    for (DocumentValue each : AsyncApiDocument.members(all).values()) {
      DocumentValue message = document.resolved(each);
      if (message != null) {
        messages.add(message);
      }
    }
    return messages;
  }

  /** The messages of an operation of generation 2: one, or several under {@code oneOf}. */
  private List<DocumentValue> messages(@Nullable DocumentValue message) {
    if (message == null) {
      return List.of();
    }
    DocumentValue several = document.member(message, "oneOf");
    return several == null ? List.of(message) : document.items(several);
  }

  private @Nullable DocumentValue found(
      DocumentValue name, String what, Map<String, DocumentValue> known) {
    DocumentValue found = known.get(name.text());
    if (found == null) {
      unknown(name, what, known.keySet());
      return null;
    }
    return document.resolved(found);
  }

  private void unknown(DocumentValue name, String what, Collection<String> known) {
    diagnostics.value(
        name,
        "expected "
            + what
            + " ("
            + KnownNames.listed(known)
            + "), found "
            + ValueDescription.describe(name.json()),
        () -> SpellingSuggestion.of(name.text(), known));
  }
}
