package dev.pinion.core.language.call;

import dev.pinion.core.document.DocumentValue;
import dev.pinion.core.language.call.DeferredParts.DeferredInput;
import dev.pinion.core.language.call.OpenApiOperations.CalledOperation;
import dev.pinion.core.language.field.Diagnostics;
import dev.pinion.core.language.field.ExpressionFieldCompiler;
import dev.pinion.core.language.field.FieldReader;
import dev.pinion.core.language.field.Placeholders;
import dev.pinion.core.language.field.VisibleVariables;
import dev.pinion.core.model.Expression;
import dev.pinion.core.model.call.HttpCall;
import dev.pinion.core.openapi.ApiParameter;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Compiles the arguments of {@code call: openapi} (DSL reference, "OpenAPI Call") to those calls
 * that {@code call: http} makes.
 */
final class OpenApiCallCompiler {
  private static final List<String> KEYS =
      List.of("document", "operationId", "parameters", "authentication", "output", "redirect");

  private final OpenApiOperations operations;
  private final ExpressionFieldCompiler expressions;
  private final AuthenticationCompiler authentications;
  private final OpenApiSecurity security;
  private final Diagnostics diagnostics;

  OpenApiCallCompiler(
      OpenApiOperations operations,
      ExpressionFieldCompiler expressions,
      AuthenticationCompiler authentications,
      Diagnostics diagnostics) {
    this.operations = operations;
    this.expressions = expressions;
    this.authentications = authentications;
    this.security = new OpenApiSecurity(authentications, diagnostics);
    this.diagnostics = diagnostics;
  }

  /**
   * The call that the arguments describe.
   *
   * @param parsesXml whether XML that it yields becomes its JSON form
   * @param input {@code input.from} when it uses secrets, else null
   */
  Expression<HttpCall> compile(
      DocumentValue arguments,
      boolean parsesXml,
      VisibleVariables visible,
      @Nullable DeferredInput input) {
    FieldReader fieldReader =
        FieldReader.of(arguments, "the arguments of an OpenAPI call", KEYS, diagnostics);
    DocumentValue document = fieldReader.required("document");
    DocumentValue id = fieldReader.requiredText("operationId");
    DocumentValue parameters = fieldReader.object("parameters");
    DocumentValue authentication = fieldReader.get("authentication");
    HttpCall.Output output =
        HttpCall.Output.valueOf(
            fieldReader.word("output", HttpCallCompiler.OUTPUTS).toUpperCase(Locale.ROOT));
    boolean acceptRedirects = fieldReader.flag("redirect");
    CalledOperation called = document == null ? null : operations.find(document, id);
    DeferredParts parts = authentications.parts(arguments.pointer(), visible, input);
    if (called == null || id == null) {
      checkAlone(parameters, authentication, visible, parts);
      return Placeholders.expression();
    }
    List<ApiParameter> known = OpenApiSecurity.parameters(called.operation());
    OpenApiBodyReader bodies = new OpenApiBodyReader(called, expressions, diagnostics);
    OpenApiArguments given =
        new OpenApiArgumentReader(called, known, arguments, parameters, bodies, diagnostics).read();
    security.compile(called.operation(), authentication, given, id, visible, parts);
    OpenApiRequest request =
        new OpenApiRequest(called, given, expressions, visible, parts, diagnostics);
    return request.template(
        parameters == null ? arguments : parameters,
        id,
        parsesXml ? output.withParsedXml() : output,
        acceptRedirects);
  }

  /** Checks what does not depend on the operation. */
  private void checkAlone(
      @Nullable DocumentValue parameters,
      @Nullable DocumentValue authentication,
      VisibleVariables visible,
      DeferredParts parts) {
    if (parameters != null) {
      expressions.template(parameters, visible.ofCall());
    }
    if (authentication != null) {
      authentications.compile(authentication, visible, parts);
    }
  }
}
