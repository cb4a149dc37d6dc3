// The part of Swagger UI that the reference page uses; the package brings no types.

declare module 'swagger-ui-dist/swagger-ui-bundle.js' {
  declare namespace SwaggerUI {
    type Element = object;
    type Plugin = (system: {
      readonly React: {
        createElement(
          type: string,
          props: null,
          ...children: readonly (string | Element)[]
        ): Element;
      };
    }) => {
      readonly wrapComponents: Readonly<
        Record<string, () => (props: { readonly source?: string }) => Element>
      >;
    };
  }
  declare function SwaggerUI(options: {
    readonly url: string;
    readonly dom_id: string;
    readonly plugins: readonly SwaggerUI.Plugin[];
    readonly validatorUrl: null;
    readonly deepLinking: boolean;
    readonly filter: boolean;
    readonly displayRequestDuration: boolean;
    readonly tryItOutEnabled: boolean;
    readonly responseInterceptor: <Response extends { readonly url: string; text: string }>(
      response: Response,
    ) => Response;
  }): void;
  export default SwaggerUI;
}
