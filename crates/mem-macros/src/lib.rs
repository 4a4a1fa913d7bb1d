//! `#[derive(Diagnose)]`: an error says beside each variant's message what kind it is and what to do about it.
//!
//! ```ignore
//! #[derive(Debug, thiserror::Error, Diagnose)]
//! pub enum OpenError {
//!     #[error("no memory of this name: `{0}`")]
//!     #[diagnose(NotFound, hint = "`mem list` shows what there is")]
//!     Unknown(String),
//!     #[error("`{0}` is open to others")]
//!     #[diagnose(Refused, hint = "`chmod 600 {0}`")]
//!     Open(String),
//!     #[error("cannot read `{}`", path.display())]
//!     #[diagnose(Io, hint = io_hint(source))]
//!     Read { path: PathBuf, source: io::Error },
//!     #[error(transparent)]
//!     History(#[from] HistoryError),
//! }
//! ```
//!
//! The first word is an `ErrorKind`, or `kind = EXPRESSION`; `transparent` asks the only field for both. A hint that
//! is a text may name fields, as `#[error]` may; any other expression sees them by reference, those of a tuple as
//! `_0`, `_1`, and gives what `IntoHint` takes. What stands at the enum itself holds for variants without the
//! attribute; where nothing stands there either, a transparent message makes the variant transparent.

use proc_macro2::{TokenStream, TokenTree};
use quote::{format_ident, quote};
use syn::ext::IdentExt as _;
use syn::parse::{Parse, ParseStream};
use syn::{Attribute, Data, DeriveInput, Error, Fields, Ident, LitStr, Result, Token};

/// Derives `mem_core::error::Diagnose` from `#[diagnose(...)]` attributes.
#[proc_macro_derive(Diagnose, attributes(diagnose))]
pub fn derive_diagnose(input: proc_macro::TokenStream) -> proc_macro::TokenStream {
    let input = syn::parse_macro_input!(input as DeriveInput);
    expand_diagnose(&input)
        .unwrap_or_else(Error::into_compile_error)
        .into()
}

/// What one attribute says.
#[derive(Clone)]
enum VariantDiagnosis {
    Transparent,
    Own {
        kind: TokenStream,
        hint: Option<Hint>,
    },
}

#[derive(Clone)]
enum Hint {
    Text(LitStr),
    Expression(TokenStream),
}

impl Parse for VariantDiagnosis {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let word = input.call(Ident::parse_any)?;
        if word == "transparent" {
            return Ok(Self::Transparent);
        }
        let kind = if word == "kind" {
            input.parse::<Token![=]>()?;
            parse_expression(input)?
        } else {
            quote!(::mem_core::error::ErrorKind::#word)
        };
        let mut hint = None;
        if input.parse::<Option<Token![,]>>()?.is_some() && !input.is_empty() {
            let word: Ident = input.parse()?;
            if word != "hint" {
                return Err(Error::new(word.span(), "expected `hint = ...`"));
            }
            input.parse::<Token![=]>()?;
            hint = Some(if input.peek(LitStr) {
                Hint::Text(input.parse()?)
            } else {
                Hint::Expression(parse_expression(input)?)
            });
            input.parse::<Option<Token![,]>>()?;
        }
        Ok(Self::Own { kind, hint })
    }
}

/// The tokens up to the next comma: `syn` reads closures and blocks only with its largest feature.
fn parse_expression(input: ParseStream<'_>) -> Result<TokenStream> {
    let mut tokens = TokenStream::new();
    while !input.is_empty() && !input.peek(Token![,]) {
        tokens.extend([input.parse::<TokenTree>()?]);
    }
    Ok(tokens)
}

/// The attribute among those of an item, if it has one; else that of the whole; else a transparent message makes it
/// transparent.
fn find_diagnosis(
    attributes: &[Attribute],
    whole: Option<&VariantDiagnosis>,
) -> Result<Option<VariantDiagnosis>> {
    let find = |name: &str| attributes.iter().find(|one| one.path().is_ident(name));
    if let Some(own) = find("diagnose") {
        return own.parse_args().map(Some);
    }
    let message = find("error").map(Attribute::parse_args::<Ident>);
    let is_transparent = message.is_some_and(|word| word.is_ok_and(|word| word == "transparent"));
    let implied = is_transparent.then_some(VariantDiagnosis::Transparent);
    Ok(whole.cloned().or(implied))
}

fn expand_diagnose(input: &DeriveInput) -> Result<TokenStream> {
    let whole = find_diagnosis(&input.attrs, None)?;
    let mut kinds = Vec::new();
    let mut hints = Vec::new();
    let mut add =
        |path: TokenStream, name: &Ident, fields: &Fields, own: Option<VariantDiagnosis>| {
            let missing = || Error::new(name.span(), "expected `#[diagnose(KIND, hint = ...)]`");
            let (kind, hint) = match_arms(own.ok_or_else(missing)?, fields)?;
            // A variant seldom says something of each of its fields.
            let (pattern, bound) = (field_pattern(fields), field_bindings(fields));
            kinds.push(quote!(#path #pattern => { let _ = (#(#bound),*); #kind }));
            hints.push(quote!(#path #pattern => { let _ = (#(#bound),*); #hint }));
            Ok::<(), Error>(())
        };
    match &input.data {
        Data::Enum(data) => {
            for variant in &data.variants {
                let name = &variant.ident;
                add(
                    quote!(Self::#name),
                    name,
                    &variant.fields,
                    find_diagnosis(&variant.attrs, whole.as_ref())?,
                )?;
            }
        }
        Data::Struct(data) => add(quote!(Self), &input.ident, &data.fields, whole)?,
        Data::Union(_) => return Err(Error::new(input.ident.span(), "a union is no error")),
    }
    let name = &input.ident;
    let (generics, arguments, bounds) = input.generics.split_for_impl();
    Ok(quote! {
        #[automatically_derived]
        impl #generics ::mem_core::error::Diagnose for #name #arguments #bounds {
            fn kind(&self) -> ::mem_core::error::ErrorKind {
                match self { #(#kinds,)* }
            }
            fn hint(&self) -> ::core::option::Option<::std::string::String> {
                match self { #(#hints,)* }
            }
        }
    })
}

/// The expressions of a variant's kind and hint.
fn match_arms(diagnosis: VariantDiagnosis, fields: &Fields) -> Result<(TokenStream, TokenStream)> {
    let (kind, hint) = match diagnosis {
        VariantDiagnosis::Transparent => {
            let Some((index, field)) = fields.iter().enumerate().next() else {
                return Err(Error::new_spanned(fields, "`transparent` wants a field"));
            };
            let name = field
                .ident
                .clone()
                .unwrap_or_else(|| format_ident!("_{index}"));
            return Ok((
                quote!(::mem_core::error::Diagnose::kind(#name)),
                quote!(::mem_core::error::Diagnose::hint(#name)),
            ));
        }
        VariantDiagnosis::Own { kind, hint } => (kind, hint),
    };
    let hint = match hint {
        None => quote!(::core::option::Option::None),
        Some(Hint::Text(text)) => {
            let text = rename_tuple_fields(&text);
            quote!(::core::option::Option::Some(::std::format!(#text)))
        }
        Some(Hint::Expression(expression)) => {
            quote!(::mem_core::error::IntoHint::into_hint(#expression))
        }
    };
    Ok((kind, hint))
}

/// `{0}` as `{_0}`: the fields of a tuple are bound by these names.
fn rename_tuple_fields(text: &LitStr) -> LitStr {
    let mut out = String::new();
    let value = text.value();
    let mut rest = value.chars().peekable();
    while let Some(next) = rest.next() {
        out.push(next);
        match (next, rest.peek()) {
            ('{', Some('{')) => out.extend(rest.next()),
            ('{', Some(digit)) if digit.is_ascii_digit() => out.push('_'),
            _ => {}
        }
    }
    LitStr::new(&out, text.span())
}

/// What the fields are called in expressions.
fn field_bindings(fields: &Fields) -> Vec<Ident> {
    let name = |(index, field): (usize, &syn::Field)| {
        let own = field.ident.clone();
        own.unwrap_or_else(|| format_ident!("_{index}"))
    };
    fields.iter().enumerate().map(name).collect()
}

/// Binds every field.
fn field_pattern(fields: &Fields) -> TokenStream {
    let names = field_bindings(fields);
    match fields {
        Fields::Named(_) => quote!({ #(#names),* }),
        Fields::Unnamed(_) => quote!((#(#names),*)),
        Fields::Unit => TokenStream::new(),
    }
}
