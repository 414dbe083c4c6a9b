package dev.pinion.core.language.call;

import dev.pinion.core.document.DocumentValue;
import dev.pinion.core.document.ValueDescription;
import dev.pinion.core.language.call.OpenApiArguments.GivenBody;
import dev.pinion.core.language.call.OpenApiOperations.CalledOperation;
import dev.pinion.core.language.field.Diagnostics;
import dev.pinion.core.language.field.ExpressionFieldCompiler;
import dev.pinion.core.language.field.KnownNames;
import dev.pinion.core.model.SpellingSuggestion;
import dev.pinion.core.openapi.ApiBody;
import dev.pinion.core.openapi.ApiContent;
import dev.pinion.core.openapi.ApiField;
import dev.pinion.core.openapi.MediaRange;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Finds the body of one call among the arguments that are no parameters: as a whole, by its name or
 * {@code body}; or by its members, as the document names them. {@code Content-Type} chooses its
 * form, JSON is the first choice without.
 */
final class OpenApiBodyReader {
  private static final String WHOLE = "body";
  private static final String CONTENT_TYPE = "Content-Type";

  private final CalledOperation called;
  private final @Nullable ApiBody body;
  private final ExpressionFieldCompiler expressions;
  private final Diagnostics diagnostics;

  OpenApiBodyReader(
      CalledOperation called, ExpressionFieldCompiler expressions, Diagnostics diagnostics) {
    this.called = called;
    this.body = called.operation().body();
    this.expressions = expressions;
    this.diagnostics = diagnostics;
  }

  /**
   * What was found.
   *
   * @param body the body, or null for none
   * @param unknown arguments that are nothing
   * @param names the names that could have been given for the body
   */
  record BodyReading(
      @Nullable GivenBody body, Collection<DocumentValue> unknown, Set<String> names) {}

  /** Whether an argument chooses the form of the body. */
  boolean takes(String name) {
    return body != null && name.equalsIgnoreCase(CONTENT_TYPE);
  }

  /**
   * Finds the body.
   *
   * @param arguments the arguments that are no parameters, by name
   * @param owner where a missing body is reported
   */
  BodyReading read(Map<String, DocumentValue> arguments, DocumentValue owner) {
    ApiBody wanted = body;
    if (wanted == null) {
      return new BodyReading(null, arguments.values(), Set.of());
    }
    Map<String, DocumentValue> left = new LinkedHashMap<>(arguments);
    DocumentValue type = null;
    for (String each : arguments.keySet()) {
      type = takes(each) ? left.remove(each) : type;
    }
    String name = nameOf(wanted);
    DocumentValue whole = left.remove(left.containsKey(name) ? name : WHOLE);
    List<ApiContent> contents = contents(wanted, type);
    if (contents.isEmpty()) {
      return new BodyReading(null, List.of(), Set.of());
    }
    ApiContent content = best(contents, left.keySet());
    Map<String, ApiField> fields =
        left.isEmpty() ? content.fields() : called.reader().fields(content);
    Map<String, DocumentValue> members = new LinkedHashMap<>(left);
    members.keySet().retainAll(fields.keySet());
    left.keySet().removeAll(members.keySet());
    if (whole != null && (!members.isEmpty() || content.fields().containsKey(whole.name()))) {
      addWhole(whole, fields, members);
      whole = null;
    }
    if (whole == null && members.isEmpty() && left.isEmpty()) {
      requireBody(wanted, content, owner);
    }
    Set<String> names = new LinkedHashSet<>(List.of(name));
    names.addAll(fields.keySet());
    GivenBody found = given(content, type, whole, members, owner);
    return new BodyReading(found, left.values(), names);
  }

  private static String nameOf(ApiBody body) {
    String name = body.name();
    return name == null ? WHOLE : name;
  }

  /** The form of the media type that is wanted, or all of them, JSON first. */
  private List<ApiContent> contents(ApiBody wanted, @Nullable DocumentValue type) {
    if (type == null) {
      List<ApiContent> all = new ArrayList<>(wanted.contents());
      all.sort(Comparator.comparing(each -> !each.type().usual().isJson()));
      return all;
    }
    MediaRange range = MediaRange.of(type.text());
    if (ExpressionFieldCompiler.isEnclosed(type) || !range.isValid() || range.isRange()) {
      diagnostics.expected(
          type, "a fixed media type as Content-Type, since the body takes its form from it");
      return List.of();
    }
    List<ApiContent> fitting =
        wanted.contents().stream()
            .filter(each -> each.type().contains(range))
            .sorted(Comparator.comparing(each -> each.type().isRange()))
            .toList();
    if (fitting.isEmpty()) {
      List<String> known = wanted.contents().stream().map(each -> each.type().text()).toList();
      diagnostics.value(
          type,
          "expected a media type in which "
              + called.id()
              + " takes its body ("
              + KnownNames.listed(known)
              + "), found "
              + ValueDescription.describe(type.json()),
          () -> SpellingSuggestion.of(type.text(), known));
    }
    return fitting;
  }

  /** The first form that has most of some members. */
  private ApiContent best(List<ApiContent> contents, Set<String> members) {
    ApiContent best = contents.getFirst();
    long most = 0;
    for (ApiContent each : members.isEmpty() ? List.<ApiContent>of() : contents) {
      Set<String> names = called.reader().fields(each).keySet();
      long known = members.stream().filter(names::contains).count();
      if (known > most) {
        best = each;
        most = known;
      }
    }
    return best;
  }

  /** What seemed to be the whole is a member among others, or wrong. */
  private void addWhole(
      DocumentValue whole, Map<String, ApiField> fields, Map<String, DocumentValue> members) {
    if (fields.containsKey(whole.name())) {
      members.put(whole.name(), whole);
    } else {
      diagnostics.key(
          whole,
          "expected either the body as a whole or its members, found both, "
              + KnownNames.listed(members.keySet()));
    }
  }

  private @Nullable GivenBody given(
      ApiContent content,
      @Nullable DocumentValue type,
      @Nullable DocumentValue whole,
      Map<String, DocumentValue> members,
      DocumentValue owner) {
    if (whole == null) {
      requireFields(content, members, owner);
    }
    if (whole == null && members.isEmpty()) {
      if (type != null) {
        diagnostics.key(type, "expected a body beside Content-Type, found none");
      }
      return null;
    }
    if (whole != null) {
      checkKind(content, whole);
    }
    MediaRange sent = type == null ? content.type().usual() : MediaRange.of(type.text());
    if (sent.isRange()) {
      diagnostics.key(
          owner,
          "expected \"Content-Type\" among the parameters, since "
              + called.id()
              + " takes "
              + sent.text()
              + ", found none");
    }
    return new GivenBody(content.as(sent), whole, members);
  }

  /** Fields of OpenAPI 2 are parameters, which may be required. */
  private void requireFields(
      ApiContent content, Map<String, DocumentValue> members, DocumentValue owner) {
    content
        .fields()
        .forEach(
            (name, field) -> {
              if (field.required() && !members.containsKey(name)) {
                refuseMissing("\"" + name + "\" (formData)", owner);
              }
            });
  }

  private void requireBody(ApiBody wanted, ApiContent content, DocumentValue owner) {
    if (wanted.required() && content.fields().isEmpty()) {
      refuseMissing("\"" + nameOf(wanted) + "\" (body)", owner);
    }
  }

  private void refuseMissing(String what, DocumentValue owner) {
    diagnostics.key(
        owner,
        "expected the parameter " + what + ", which " + called.id() + " requires, found none");
  }

  /** A text where the document has an object was meant to be a member of it. */
  private void checkKind(ApiContent content, DocumentValue whole) {
    MediaRange type = content.type().usual();
    boolean isFixed =
        !whole.isObject()
            && !whole.isArray()
            && !expressions.isLoose()
            && !ExpressionFieldCompiler.isEnclosed(whole);
    boolean isObject =
        isFixed
            && (type.isJson() || type.isMultipartForm())
            && !whole.json().isNull()
            && called.reader().isObject(content);
    if (isObject) {
      diagnostics.expected(whole, "an object or an expression within ${ } as the body");
    }
  }
}
