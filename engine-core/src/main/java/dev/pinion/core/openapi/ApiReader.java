package dev.pinion.core.openapi;

import dev.pinion.core.template.OperationUri;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reader of the operations of one document; reports what is wrong with the parts that it reads. For
 * one thread.
 */
public final class ApiReader {
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
    List<ApiValue> declared = new DeclaredParameters(references).of(found);
    boolean isSecond = index.isSecondGeneration();
    String server =
        isSecond
            ? new HostAddress(problems).of(found, root)
            : new ServerAddress(references, problems).of(found, root);
    ParameterReader reader = new ParameterReader(isSecond);
    List<ApiParameter> parameters =
        declared.stream().map(reader::parameter).flatMap(Optional::stream).toList();
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

  /** Whether each name in the path is a parameter. */
  private boolean isComplete(FoundOperation found, List<ApiParameter> parameters) {
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
