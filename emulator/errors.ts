/** An error answer, in the form `{error:{error_code, error_message}}`. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    message: string,
    readonly headers: Record<string, string> = {},
    /** Whether the specification shows this exact error, so that its form is fixed. */
    readonly specified = false,
  ) {
    super(message);
    this.name = "ApiError";
  }

  get body(): { error: { error_code: number; error_message: string } } {
    return { error: { error_code: this.status, error_message: this.message } };
  }
}

export const badRequest = (message: string) => new ApiError(400, message);
export const notFound = (message: string) => new ApiError(404, message);
export const conflict = (message: string) => new ApiError(409, message);
export const invalid = (message: string) => new ApiError(422, message);
