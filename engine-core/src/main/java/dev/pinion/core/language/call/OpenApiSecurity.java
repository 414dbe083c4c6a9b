package dev.pinion.core.language.call;

import dev.pinion.core.document.DocumentValue;
import dev.pinion.core.language.field.Diagnostics;
import dev.pinion.core.language.field.VisibleVariables;
import dev.pinion.core.openapi.ApiOperation;
import dev.pinion.core.openapi.ApiParameter;
import dev.pinion.core.openapi.ApiSecurityScheme;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Authentication of calls of OpenAPI operations. A document says how, never with what: credentials
 * are those of the task, or of the component under {@code use.authentications} that has the name of
 * a scheme of the document; API keys are parameters.
 */
final class OpenApiSecurity {
  private final AuthenticationCompiler authentications;
  private final Diagnostics diagnostics;

  OpenApiSecurity(AuthenticationCompiler authentications, Diagnostics diagnostics) {
    this.authentications = authentications;
    this.diagnostics = diagnostics;
  }

  /** The parameters of an operation, and those of its API keys that are none of them. */
  static List<ApiParameter> parameters(ApiOperation operation) {
    List<ApiParameter> all = new ArrayList<>(operation.parameters());
    for (List<ApiSecurityScheme> way : operation.security()) {
      for (ApiSecurityScheme scheme : way) {
        ApiParameter key = scheme.key();
        if (key != null && all.stream().noneMatch(each -> isSame(each, key))) {
          all.add(key);
        }
      }
    }
    return all;
  }

  private static boolean isSame(ApiParameter one, ApiParameter other) {
    return one.in() == other.in() && one.isNamed(other.name());
  }

  /**
   * Adds the authentication of a call to its parts, and warns where there is none.
   *
   * @param declared the authentication that the task has, or null
   * @param id the id of the operation, where that is reported
   */
  void compile(
      ApiOperation operation,
      @Nullable DocumentValue declared,
      OpenApiArguments arguments,
      DocumentValue id,
      VisibleVariables visible,
      DeferredParts parts) {
    List<List<ApiSecurityScheme>> ways = operation.security();
    if (declared != null) {
      authentications.compile(declared, visible, parts);
      return;
    }
    for (List<ApiSecurityScheme> way : ways) {
      if (!way.isEmpty() && isSatisfied(way, arguments)) {
        way.stream()
            .filter(each -> each.key() == null)
            .findFirst()
            .ifPresent(each -> authentications.named(each.name(), visible, parts));
        return;
      }
    }
    if (!ways.isEmpty() && ways.stream().noneMatch(List::isEmpty)) {
      warn(ways, id);
    }
  }

  /** Whether the definition has what a way to authenticate needs; a call has one authentication. */
  private boolean isSatisfied(List<ApiSecurityScheme> way, OpenApiArguments arguments) {
    int policies = 0;
    for (ApiSecurityScheme scheme : way) {
      ApiParameter key = scheme.key();
      policies += key == null ? 1 : 0;
      if (key == null ? !authentications.has(scheme.name()) : !has(arguments, key)) {
        return false;
      }
    }
    return policies <= 1;
  }

  private static boolean has(OpenApiArguments arguments, ApiParameter key) {
    return arguments.parameters().stream().anyMatch(each -> isSame(each.parameter(), key));
  }

  private void warn(List<List<ApiSecurityScheme>> ways, DocumentValue id) {
    String wanted = ways.stream().map(OpenApiSecurity::shown).collect(Collectors.joining(", or "));
    diagnostics.warn(
        id,
        "expected \"authentication\", since the document asks for "
            + wanted
            + ", found none; it is called without",
        () -> null);
  }

  private static String shown(List<ApiSecurityScheme> way) {
    return way.stream().map(OpenApiSecurity::shownScheme).collect(Collectors.joining(" and "));
  }

  private static String shownScheme(ApiSecurityScheme scheme) {
    ApiParameter key = scheme.key();
    return key == null ? scheme.name() + " (" + scheme.kind() + ")" : "the parameter " + key.name();
  }
}
