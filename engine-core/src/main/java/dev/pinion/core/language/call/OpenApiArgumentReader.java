package dev.pinion.core.language.call;

import dev.pinion.core.document.DocumentValue;
import dev.pinion.core.document.ValueDescription;
import dev.pinion.core.language.call.OpenApiArguments.GivenBody;
import dev.pinion.core.language.call.OpenApiArguments.GivenParameter;
import dev.pinion.core.language.call.OpenApiOperations.CalledOperation;
import dev.pinion.core.language.field.Diagnostics;
import dev.pinion.core.language.field.KnownNames;
import dev.pinion.core.model.SpellingSuggestion;
import dev.pinion.core.openapi.ApiParameter;
import dev.pinion.core.openapi.ParameterPlace;
import dev.pinion.core.template.HttpCallTemplate;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Matches the arguments of one call with the parameters and the body of its operation, and reports
 * what does not fit.
 */
final class OpenApiArgumentReader {
  /** Fields that follow from other parts of a call (OpenAPI, "Parameter Object"). */
  private static final Set<String> IMPLIED = Set.of("accept", "content-type", "authorization");

  private final CalledOperation called;
  private final List<ApiParameter> parameters;
  private final DocumentValue owner;
  private final @Nullable DocumentValue arguments;
  private final OpenApiBodyReader bodies;
  private final Diagnostics diagnostics;
  private final Map<String, DocumentValue> given = new LinkedHashMap<>();
  private final Map<String, DocumentValue> others = new LinkedHashMap<>();
  private final Set<String> meant = new HashSet<>();

  /**
   * A reader.
   *
   * @param parameters the parameters of the operation, and those of its API keys
   * @param owner the arguments of the task
   * @param arguments the parameters among them, or null for none
   * @param bodies reads the body
   */
  OpenApiArgumentReader(
      CalledOperation called,
      List<ApiParameter> parameters,
      DocumentValue owner,
      @Nullable DocumentValue arguments,
      OpenApiBodyReader bodies,
      Diagnostics diagnostics) {
    this.called = called;
    this.parameters = parameters;
    this.owner = arguments == null ? owner : arguments;
    this.arguments = arguments;
    this.bodies = bodies;
    this.diagnostics = diagnostics;
  }

  /** What the arguments are. */
  OpenApiArguments read() {
    List<DocumentValue> members = arguments == null ? List.of() : arguments.members();
    members.forEach(this::assign);
    members.forEach(this::assignQualified);
    OpenApiBodyReader.BodyReading reading = bodies.read(others, owner);
    reading.unknown().forEach(each -> refuse(each, reading.names()));
    List<GivenParameter> assigned = new ArrayList<>();
    for (ApiParameter each : parameters) {
      DocumentValue value = given.get(each.qualifiedName());
      if (value != null) {
        check(each, value);
        assigned.add(new GivenParameter(each, value));
      } else if (isMissing(each)) {
        refuseMissing(each);
      }
    }
    GivenBody body = reading.body();
    return new OpenApiArguments(assigned, body);
  }

  /** Assigns a name to the parameters that have it: in several places, to each of them. */
  private void assign(DocumentValue member) {
    String name = member.name();
    List<ApiParameter> named = named(name);
    if (bodies.takes(name) || (named.isEmpty() && !isQualified(name))) {
      others.put(name, member);
      return;
    }
    named.forEach(each -> given.put(each.qualifiedName(), member));
  }

  /** Assigns a name with a place, which counts more than one without. */
  private void assignQualified(DocumentValue member) {
    if (!others.containsKey(member.name()) && named(member.name()).isEmpty()) {
      for (ApiParameter each : parameters) {
        if (isNamed(each, member.name())) {
          given.put(each.qualifiedName(), member);
        }
      }
    }
  }

  private boolean isQualified(String name) {
    return parameters.stream().anyMatch(each -> isNamed(each, name));
  }

  private static boolean isNamed(ApiParameter parameter, String qualified) {
    String prefix = parameter.in().word() + ".";
    return qualified.startsWith(prefix) && parameter.isNamed(qualified.substring(prefix.length()));
  }

  /** The parameters with a name; letter case counts where it tells them apart. */
  private List<ApiParameter> named(String name) {
    List<ApiParameter> exact =
        parameters.stream().filter(each -> each.name().equals(name)).toList();
    return exact.isEmpty()
        ? parameters.stream().filter(each -> each.isNamed(name)).toList()
        : exact;
  }

  private void check(ApiParameter parameter, DocumentValue value) {
    String problem = parameter.problem();
    if (problem != null) {
      called.documents().report(parameter.place(), problem);
    }
    if (parameter.required() && value.json().isNull()) {
      diagnostics.value(
          value, "expected a value for the parameter " + shown(parameter) + ", found null");
    }
    String nameProblem =
        parameter.in() == ParameterPlace.HEADER
            ? HttpCallTemplate.headerProblem(parameter.name())
            : null;
    if (nameProblem != null) {
      diagnostics.key(value, nameProblem);
    }
  }

  private boolean isMissing(ApiParameter parameter) {
    boolean isImplied =
        parameter.in() == ParameterPlace.HEADER
            && (IMPLIED.contains(parameter.name().toLowerCase(Locale.ROOT))
                || HttpCallTemplate.headerProblem(parameter.name()) != null);
    return parameter.required() && !isImplied && !meant.contains(parameter.name());
  }

  private void refuseMissing(ApiParameter parameter) {
    diagnostics.key(
        owner,
        "expected the parameter "
            + shown(parameter)
            + ", which "
            + called.id()
            + " requires, found none");
  }

  private static String shown(ApiParameter parameter) {
    return "\"" + parameter.name() + "\" (" + parameter.in().word() + ")";
  }

  private void refuse(DocumentValue member, Set<String> ofBody) {
    Set<String> known = new LinkedHashSet<>();
    parameters.stream()
        .sorted(Comparator.comparing(each -> !each.required()))
        .forEach(each -> known.add(each.name()));
    known.addAll(ofBody);
    String suggestion = SpellingSuggestion.of(member.name(), known);
    if (suggestion != null) {
      meant.add(suggestion);
    }
    diagnostics.at(
        member.keyOffset(),
        member.pointer(),
        "expected a parameter of "
            + called.id()
            + " ("
            + KnownNames.listed(known)
            + "), found \""
            + ValueDescription.shorten(member.name())
            + "\"",
        () -> suggestion);
  }
}
