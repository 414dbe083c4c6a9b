package dev.pinion.core.openapi;

import dev.pinion.core.template.HttpCallTemplate;
import dev.pinion.core.template.parameter.OperationUri;
import dev.pinion.core.template.parameter.ParameterStyle;
import dev.pinion.core.template.parameter.StyledParameter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reader of the operations of one document; reports what is wrong with the parts that it reads. For
 * one thread.
 */
public final class ApiReader {
  private static final String ACCEPT = "Accept";

  private final ApiIndex index;
  private final ApiReferences references;
  private final ApiProblems problems;

  /**
   * A reader.
   *
   * @param index the operations of the document
   * @param documents the documents to which it refers
   */
  public ApiReader(ApiIndex index, ApiDocuments documents, ApiProblems problems) {
    this.index = index;
    this.references = new ApiReferences(documents, problems);
    this.problems = problems;
  }

  /** The operations with an id: one, unless the document is wrong, or there is none. */
  public List<FoundOperation> find(String id) {
    return index.find(id, references);
  }

  /** What a call of an operation needs; null when the document is wrong, which is reported. */
  public @Nullable ApiOperation read(FoundOperation found) {
    ApiValue root = index.root();
    boolean isSecond = index.isSecondGeneration();
    String problem = HttpCallTemplate.methodProblem(found.method());
    if (problem != null) {
      problems.report(found.operation(), problem);
      return null;
    }
    List<ApiValue> declared = new DeclaredParameters(references).of(found);
    List<ApiParameter> parameters = parameters(found, declared, isSecond);
    String server =
        isSecond
            ? new HostAddress(problems).of(found, root)
            : new ServerAddress(references, problems).of(found, root);
    if (server == null || !isComplete(found, parameters)) {
      return null;
    }
    return new ApiOperation(
        found.method(),
        server,
        found.path(),
        parameters,
        isSecond
            ? new FormerBodies(root).body(found, declared)
            : new BodyReader(references).body(found),
        AcceptedTypes.of(found, root, isSecond),
        new SecurityReader(root, isSecond).of(found));
  }

  /** The declared parameters, and the field Accept, which documents should not declare. */
  private static List<ApiParameter> parameters(
      FoundOperation found, List<ApiValue> declared, boolean isSecond) {
    ParameterReader reader = new ParameterReader(isSecond);
    List<ApiParameter> parameters = new ArrayList<>();
    declared.forEach(each -> reader.parameter(each).ifPresent(parameters::add));
    boolean hasAccept =
        parameters.stream()
            .anyMatch(each -> each.in() == ParameterPlace.HEADER && each.isNamed(ACCEPT));
    if (!hasAccept) {
      StyledParameter form = new StyledParameter(ACCEPT, ParameterStyle.SIMPLE, false, false);
      parameters.add(new ApiParameter(ParameterPlace.HEADER, false, form, null, found.operation()));
    }
    return parameters;
  }

  /** Whether the path is one, and each name in it a parameter. */
  private boolean isComplete(FoundOperation found, List<ApiParameter> parameters) {
    int query = found.path().indexOf('?');
    if (query >= 0 && found.path().indexOf('{', query) >= 0) {
      problems.report(
          found.operation(), "expected a path without names in its query, found " + found);
      return false;
    }
    for (String name : OperationUri.names(found.path())) {
      boolean isDeclared =
          parameters.stream()
              .anyMatch(each -> each.in() == ParameterPlace.PATH && each.name().equals(name));
      if (!isDeclared) {
        problems.report(
            found.operation(),
            "expected a parameter in the path for {" + name + "} of " + found + ", found none");
        return false;
      }
    }
    return true;
  }

  /** The members of a body in one form that the document names, in its order. */
  public Map<String, ApiField> fields(ApiContent content) {
    return new BodyFields(references).of(content);
  }

  /** Whether a body in one form is an object, as far as the document says so. */
  public boolean isObject(ApiContent content) {
    return new BodyFields(references).isObject(content);
  }
}
